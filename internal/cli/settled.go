package cli

import (
	"nod"
	"nod/internal/present/words"
)

// settledOutcome tells who was first, or why nobody waits any more. Only the first is
// a race that was lost; the rest is gone.
func settledOutcome(c *console, r *nod.Request) (text string, exit int) {
	exit = exitGone
	atTerminal := r.Withdrawal != nil && (r.Withdrawal.Reason == nod.WithdrawnTerminal || r.Withdrawal.Reason == nod.WithdrawnHost)
	if r.Status == nod.Decided || atTerminal {
		exit = exitLate
	}
	return settledText(c.page(), r), exit
}

func settledText(p page, r *nod.Request) string {
	host := nod.OneLine(r.Agent.Host)
	switch {
	case r.Status == nod.Decided && r.Decision != nil:
		return decidedBefore(p, r.Decision)
	case r.Status == nod.Withdrawn && r.Withdrawal != nil:
		return withdrawnText(p, r.Withdrawal, host)
	}
	return p.Say(words.GoneExpired)
}

func decidedBefore(p page, d *nod.Decision) string {
	when := p.Ago(p.now.Sub(d.At))
	if d.Automatic() {
		return p.Say(words.AutoSettled, automaticText(p, d), when)
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

func withdrawnText(p page, w *nod.Withdrawal, host string) string {
	when := p.Ago(p.now.Sub(w.At))
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
