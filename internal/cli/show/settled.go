package show

import (
	"nod"
	"nod/internal/present/words"
)

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
