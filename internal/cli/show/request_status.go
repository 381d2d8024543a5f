package show

import (
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/cli/answer"
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
	if reason := p.Reason(risk.Reason); reason != "" {
		text += ": " + reason
	}
	return p.Paint(t, p.OneLine(text, cells))
}

func SettledText(p Page, r *nod.Request) string {
	host := nod.OneLine(r.Agent.Host)
	switch {
	case r.Status == nod.Decided && r.Decision != nil:
		return decidedBefore(p, r.Decision)
	case r.Status == nod.Withdrawn && r.Withdrawal != nil:
		return withdrawnText(p, r.Withdrawal, host)
	}
	return p.Say(words.GoneExpired)
}

func decidedBefore(p Page, d *nod.Decision) string {
	when := p.Ago(p.Now.Sub(d.At))
	if d.Automatic() {
		return p.Say(words.AutoSettled, AutomaticText(p, d), when)
	}
	m := words.AlreadyAnswered
	switch d.Verdict {
	case nod.VerdictAllow:
		m = words.AlreadyAllowed
	case nod.VerdictDeny:
		m = words.AlreadyDenied
	}
	return p.Say(m, nod.OneLine(d.By), nod.OneLine(d.Via), when)
}

func withdrawnText(p Page, w *nod.Withdrawal, host string) string {
	when := p.Ago(p.Now.Sub(w.At))
	switch w.Reason {
	case nod.WithdrawnTerminal, nod.WithdrawnHost:
		return p.Say(terminalOutcome(w.Outcome), host, when)
	case nod.WithdrawnEnded:
		return p.Say(words.GoneEnded, when)
	case nod.WithdrawnHandedBack:
		return p.Say(words.GoneBack, host, when)
	case nod.WithdrawnLost:
		return p.Say(words.GoneLost, host, when)
	}
	return p.Say(words.GoneSuperseded, when)
}

func terminalOutcome(outcome string) words.Message {
	switch outcome {
	case nod.WasAllowed:
		return words.TerminalAllowed
	case nod.WasDenied:
		return words.TerminalDenied
	}
	return words.TerminalAnswered
}

// DecidedText says what was decided.
func DecidedText(p Page, r *nod.Request, a nod.Answer) string {
	title, name := p.OneLine(r.Title, max(20, p.Columns/2)), nod.OneLine(r.Agent.Name)
	switch {
	case a.Verdict == nod.VerdictDeny && a.Stop:
		return p.Say(words.Stopped, title, name)
	case a.Verdict == nod.VerdictDeny:
		return p.Say(words.Denied, title, name)
	case a.Verdict == nod.VerdictAnswer:
		return p.Say(words.Answered, replyText(r, a.Answers), name)
	case a.Lease != nil:
		span := p.LeaseSpan(time.Duration(a.Lease.Minutes) * time.Minute)
		return p.Say(words.AllowedLease, title, name, span, a.Lease.Times, nod.OneLine(strings.Join(answer.LeaseRules(r, a.Lease), " ")))
	case a.Remember != "":
		o, _ := r.Option(nod.OptionAlways, string(a.Remember))
		return p.Say(words.AllowedRule, title, name, nod.OneLine(o.Label))
	case len(a.Input) > 0:
		return p.Say(words.AllowedOther, nod.OneLine(editedText(r, a.Input)), name)
	}
	return p.Say(words.Allowed, title, name)
}

// editedText is what runs instead: the main text, or the whole input.
func editedText(r *nod.Request, input json.RawMessage) string {
	changed := *r
	changed.Input = input
	if text := answer.MainText(&changed); text != "" {
		return text
	}
	return string(input)
}

func replyText(r *nod.Request, answers nod.Answers) string {
	var replies []string
	for _, q := range r.Questions {
		if reply, ok := answers[q.Key()]; ok {
			replies = append(replies, nod.OneLine(reply.Joined()))
		}
	}
	return strings.Join(replies, "; ")
}
