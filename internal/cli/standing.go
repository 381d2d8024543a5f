package cli

import (
	"time"

	"nod"
	"nod/internal/present/words"
)

// standing is how far it has come: the last proven step, or how it ended.
func (p page) standing(r *nod.Request) string {
	switch r.Status {
	case nod.Decided:
		if automatic(r) {
			return join(p.byItself(r.Decision), p.stepAfter(r))
		}
		return join(p.Verdict(r.Decision.Verdict)+" ("+r.Decision.By+")", p.stepAfter(r))
	case nod.Expired:
		return p.Say(words.StatusExpired)
	case nod.Withdrawn:
		return p.withdrawn(r.Withdrawal)
	}
	step := p.Step(r.Step())
	if p.away(r.Agent.ID) != nil { // which tells more
		step = ""
	}
	if r.ExpiresAt != nil && r.ExpiresAt.Sub(p.now) < time.Hour { // tomorrow is no news today
		return join(step, p.Say(words.ExpiresIn, p.Left(r.ExpiresAt.Sub(p.now))))
	}
	return step
}

// stepAfter leaves "decided" out, because the verdict has just said so.
func (p page) stepAfter(r *nod.Request) string {
	if s := r.Step(); s != nod.StepDecided {
		return p.Step(s)
	}
	return ""
}

func (p page) withdrawn(w *nod.Withdrawal) string {
	if w == nil {
		return p.Say(words.StatusWithdrawn)
	}
	switch w.Reason {
	case nod.WithdrawnTerminal, nod.WithdrawnHost:
		return p.Say(words.WhyTerminal)
	case nod.WithdrawnEnded:
		return p.Say(words.WhyEnded)
	case nod.WithdrawnSuperseded:
		return p.Say(words.WhySuperseded)
	case nod.WithdrawnHandedBack:
		return p.Say(words.WhyBack)
	case nod.WithdrawnLost:
		return p.Say(words.WhyLost)
	}
	return p.Say(words.StatusWithdrawn)
}

func (p page) risk(risk *nod.Risk, cells int) string {
	if risk == nil || risk.Level == "" {
		return ""
	}
	shape, t := riskSymbol(risk.Level)
	text := shape + " " + p.Risk(risk.Level)
	if risk.Reason != "" {
		text += ": " + risk.Reason
	}
	return p.paint(t, p.oneLine(text, cells))
}
