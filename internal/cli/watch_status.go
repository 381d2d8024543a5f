package cli

import (
	"nod"
	"nod/internal/present/words"
)

// status is what became of the card, in words and a shape.
func (w *watch) status(c *card) []string {
	var text string
	t := quiet
	switch {
	case c.sending:
		t, text = busy, symbolWorking+" "+w.Say(words.WatchSending)
	case c.vanished:
		text = symbolQuiet + " " + w.Say(words.WatchVanished)
	case c.mine != nil:
		t, text = w.outcome(c)
	case c.r.Settled():
		var shape string
		shape, t = requestSymbol(c.r)
		text = shape + " " + settledText(w.page(w.width), c.r)
	default:
		return nil
	}
	lines := wrap(text, w.width-4)
	for i, l := range lines {
		lines[i] = w.paint(t, l)
	}
	return lines
}

// outcome is one's own decision and how far it has provably come.
func (w *watch) outcome(c *card) (tone, string) {
	p := w.page(w.width)
	name, host := nod.OneLine(c.r.Agent.Name), nod.OneLine(c.r.Agent.Host)
	said := decidedText(p, c.r, *c.mine)
	switch c.step {
	case nod.StepApplied:
		shape, t := requestSymbol(c.r)
		return t, shape + " " + said + " " + w.Say(words.Applied)
	case nod.StepOverruled:
		return bad, symbolStopped + " " + w.Say(words.Overruled, name, host)
	case nod.StepDoubted:
		return bad, "? " + w.Say(words.Doubted, name, host)
	}
	return busy, symbolWorking + " " + said + " · " + w.Step(c.step)
}
