package show

import (
	"nod"
	"nod/internal/present/words"
)

// AutomaticText is a decision that no person made; it never sounds as if one had.
func AutomaticText(p Page, d *nod.Decision) string {
	switch {
	case d.Via == nod.ViaLease:
		return p.Say(words.AutoLease, nod.OneLine(string(d.Under)), nod.OneLine(d.By))
	case d.Verdict == nod.VerdictDeny:
		return p.Say(words.AutoDenied, nod.OneLine(d.By))
	}
	return p.Say(words.AutoAllowed, nod.OneLine(d.By))
}

// WithUses adds which use of the lease this was, if that is known.
func WithUses(p Page, text string, used, limit int) string {
	if used == 0 {
		return text
	}
	return p.Say(words.AutoCounted, text, used, limit)
}

// Automatic reports whether nod itself decided a request.
func Automatic(r *nod.Request) bool { return r.Decision != nil && r.Decision.Automatic() }

// leaseUses counts the decisions under each lease, from where the log was read.
type leaseUses map[nod.LeaseID]*leaseUse

type leaseUse struct {
	count, limit int
	from         nod.Seq // events up to here are counted already
}

// know sets the counts at a place in the log.
func (u leaseUses) know(leases []*nod.Lease, at nod.Seq) {
	for _, l := range leases {
		u[l.ID] = &leaseUse{count: l.Used, limit: l.Limit, from: at}
	}
}

// note counts an event, and returns which use of its lease a decision is; 0 if unknown.
func (u leaseUses) note(e *nod.Event) (used, limit int) {
	if e.Kind == nod.LeaseGranted && e.Lease != nil {
		u[e.Lease.ID] = &leaseUse{limit: e.Lease.Limit, from: e.Seq}
	}
	if e.Kind != nod.RequestDecided || e.Decision == nil {
		return 0, 0
	}
	known := u[e.Decision.Under]
	if known == nil || e.Seq <= known.from {
		return 0, 0
	}
	known.count++
	return known.count, known.limit
}
