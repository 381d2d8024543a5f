package policy

import "nod"

// Recorded converts a request of the log for a replay. An answer in the agent's own terminal counts as a person's
// decision, where it is known. A request edited before it was allowed was not allowed as it came. Under a lease no
// rule decided, but no person did at that moment either: thirty tests in an hour are one yes.
func Recorded(r *nod.Request, s Subject) Past {
	p := Past{Subject: s, Title: r.Title, At: r.AskedAt, ID: string(r.ID)}
	switch {
	case r.Decision != nil && (r.Decision.Via == nod.ViaLease || r.Decision.Under != ""):
		p.ByPerson = true
	case r.Decision != nil:
		p.ByPerson = r.Decision.Via != nod.ViaPolicy
		p.Verdict = outcome(r.Decision.Verdict == nod.VerdictAllow && len(r.Decision.Input) == 0, r.Decision.Verdict == nod.VerdictDeny)
	case r.Withdrawal != nil:
		p.ByPerson = true
		p.Verdict = outcome(r.Withdrawal.Outcome == nod.WasAllowed, r.Withdrawal.Outcome == nod.WasDenied)
	}
	return p
}

func outcome(allowed, denied bool) Verdict {
	switch {
	case allowed:
		return Allow
	case denied:
		return Deny
	}
	return ""
}
