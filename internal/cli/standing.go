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
		return join(p.say.Verdict(r.Decision.Verdict)+" ("+r.Decision.By+")", p.stepAfter(r))
	case nod.Expired:
		return p.say.Say(words.StatusExpired)
	case nod.Withdrawn:
		return p.withdrawn(r.Withdrawal)
	}
	step := p.say.Step(r.Step())
	if p.away(r.Agent.ID) != nil { // which tells more
		step = ""
	}
	if r.ExpiresAt != nil && r.ExpiresAt.Sub(p.now) < time.Hour { // tomorrow is no news today
		return join(step, p.say.Say(words.ExpiresIn, p.say.Left(r.ExpiresAt.Sub(p.now))))
	}
	return step
}

// stepAfter leaves "decided" out, because the verdict has just said so.
func (p page) stepAfter(r *nod.Request) string {
	if s := r.Step(); s != nod.StepDecided {
		return p.say.Step(s)
	}
	return ""
}

func (p page) withdrawn(w *nod.Withdrawal) string {
	if w == nil {
		return p.say.Say(words.StatusWithdrawn)
	}
	switch w.Reason {
	case nod.WithdrawnTerminal, nod.WithdrawnHost:
		return p.say.Say(words.WhyTerminal)
	case nod.WithdrawnEnded:
		return p.say.Say(words.WhyEnded)
	case nod.WithdrawnSuperseded:
		return p.say.Say(words.WhySuperseded)
	case nod.WithdrawnHandedBack:
		return p.say.Say(words.WhyBack)
	case nod.WithdrawnLost:
		return p.say.Say(words.WhyLost)
	}
	return p.say.Say(words.StatusWithdrawn)
}

func (p page) risk(risk *nod.Risk, cells int) string {
	if risk == nil || risk.Level == "" {
		return ""
	}
	shape, t := riskShape(risk.Level)
	text := shape + " " + p.say.Risk(risk.Level)
	if risk.Reason != "" {
		text += ": " + risk.Reason
	}
	return p.ink.paint(t, p.oneLine(text, cells))
}
