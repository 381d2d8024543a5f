package cli

import (
	"nod"
	"nod/internal/present/words"
)

// settled tells who was first, or why nobody waits any more. Only the first is
// a race that was lost; the rest is gone.
func (c *console) settled(r *nod.Request) (text string, exit int) {
	exit = exitGone
	atTerminal := r.Withdrawal != nil && (r.Withdrawal.Reason == nod.WithdrawnTerminal || r.Withdrawal.Reason == nod.WithdrawnHost)
	if r.Status == nod.Decided || atTerminal {
		exit = exitLate
	}
	return c.page().settledText(r), exit
}

func (p page) settledText(r *nod.Request) string {
	host := nod.OneLine(r.Agent.Host)
	switch {
	case r.Status == nod.Decided && r.Decision != nil:
		return p.alreadyDecided(r.Decision)
	case r.Status == nod.Withdrawn && r.Withdrawal != nil:
		return p.whyGone(r.Withdrawal, host)
	}
	return p.Say(words.GoneExpired)
}

func (p page) alreadyDecided(d *nod.Decision) string {
	when := p.Ago(p.now.Sub(d.At))
	if d.Automatic() {
		return p.Say(words.AutoSettled, p.byItself(d), when)
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

func (p page) whyGone(w *nod.Withdrawal, host string) string {
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
