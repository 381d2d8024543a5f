package show

import (
	"time"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// requestStatus is the last proven step, or how the request ended.
func requestStatus(p Page, r *nod.Request) string {
	switch r.Status {
	case nod.Decided:
		if Automatic(r) {
			return term.Join(AutomaticText(p, r.Decision), stepAfterDecision(p, r))
		}
		return term.Join(p.Verdict(r.Decision.Verdict)+" ("+r.Decision.By+")", stepAfterDecision(p, r))
	case nod.Expired:
		return p.Say(words.StatusExpired)
	case nod.Withdrawn:
		return withdrawalReason(p, r.Withdrawal)
	}
	step := p.Step(r.Step())
	if p.away(r.Agent.ID) != nil { // which says more
		step = ""
	}
	if r.ExpiresAt != nil && r.ExpiresAt.Sub(p.Now) < time.Hour { // a later end does not matter yet
		return term.Join(step, p.Say(words.ExpiresIn, p.Left(r.ExpiresAt.Sub(p.Now))))
	}
	return step
}

// stepAfterDecision leaves "decided" out, because the verdict says so already.
func stepAfterDecision(p Page, r *nod.Request) string {
	if s := r.Step(); s != nod.StepDecided {
		return p.Step(s)
	}
	return ""
}

func withdrawalReason(p Page, w *nod.Withdrawal) string {
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

func RiskText(p Page, risk *nod.Risk, cells int) string {
	if risk == nil || risk.Level == "" {
		return ""
	}
	shape, t := riskSymbol(risk.Level)
	text := shape + " " + p.Risk(risk.Level)
	if risk.Reason != "" {
		text += ": " + risk.Reason
	}
	return p.Paint(t, p.OneLine(text, cells))
}
