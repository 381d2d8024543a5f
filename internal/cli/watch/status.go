package watch

import (
	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// status is what happened to the card.
func (v cardView) status() []string {
	var text string
	t := term.Quiet
	switch {
	case v.card.sending:
		t, text = term.Busy, term.SymbolWorking+" "+v.Say(words.WatchSending)
	case v.card.vanished:
		text = term.SymbolQuiet + " " + v.Say(words.WatchVanished)
	case v.card.ownAnswer != nil:
		t, text = v.outcome()
	case v.card.r.Settled():
		var shape string
		shape, t = show.RequestSymbol(v.card.r)
		text = shape + " " + show.SettledText(v.page(v.width), v.card.r)
	default:
		return nil
	}
	lines := term.Wrap(text, v.width-4)
	for i, l := range lines {
		lines[i] = v.Paint(t, l)
	}
	return lines
}

// outcome is our own decision and the last proven step.
func (v cardView) outcome() (term.Tone, string) {
	p := v.page(v.width)
	name, host := nod.OneLine(v.card.r.Agent.Name), nod.OneLine(v.card.r.Agent.Host)
	said := show.DecidedText(p, v.card.r, *v.card.ownAnswer)
	switch v.card.step {
	case nod.StepApplied:
		shape, t := show.RequestSymbol(v.card.r)
		return t, shape + " " + said + " " + v.Say(words.Applied)
	case nod.StepOverruled:
		return term.Bad, term.SymbolStopped + " " + v.Say(words.Overruled, name, host)
	case nod.StepDoubted:
		return term.Bad, "? " + v.Say(words.Doubted, name, host)
	}
	return term.Busy, term.SymbolWorking + " " + said + " · " + v.Step(v.card.step)
}
