package watch

import (
	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// status is what became of the card, in words and a shape.
func (w *watch) status(c *card) []string {
	var text string
	t := term.Quiet
	switch {
	case c.sending:
		t, text = term.Busy, term.SymbolWorking+" "+w.Say(words.WatchSending)
	case c.vanished:
		text = term.SymbolQuiet + " " + w.Say(words.WatchVanished)
	case c.mine != nil:
		t, text = w.outcome(c)
	case c.r.Settled():
		var shape string
		shape, t = show.RequestSymbol(c.r)
		text = shape + " " + show.SettledText(w.page(w.width), c.r)
	default:
		return nil
	}
	lines := term.Wrap(text, w.width-4)
	for i, l := range lines {
		lines[i] = w.Paint(t, l)
	}
	return lines
}

// outcome is one's own decision and how far it has provably come.
func (w *watch) outcome(c *card) (term.Tone, string) {
	p := w.page(w.width)
	name, host := nod.OneLine(c.r.Agent.Name), nod.OneLine(c.r.Agent.Host)
	said := show.DecidedText(p, c.r, *c.mine)
	switch c.step {
	case nod.StepApplied:
		shape, t := show.RequestSymbol(c.r)
		return t, shape + " " + said + " " + w.Say(words.Applied)
	case nod.StepOverruled:
		return term.Bad, term.SymbolStopped + " " + w.Say(words.Overruled, name, host)
	case nod.StepDoubted:
		return term.Bad, "? " + w.Say(words.Doubted, name, host)
	}
	return term.Busy, term.SymbolWorking + " " + said + " · " + w.Step(c.step)
}
