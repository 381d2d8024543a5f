package show

import (
	"nod"
	"nod/internal/present/words"
)

// AutomaticText tells a decision that no person made, never as if one had.
func AutomaticText(p Page, d *nod.Decision) string {
	switch {
	case d.Via == nod.ViaLease:
		return p.Say(words.AutoLease, nod.OneLine(string(d.Under)), nod.OneLine(d.By))
	case d.Verdict == nod.VerdictDeny:
		return p.Say(words.AutoDenied, nod.OneLine(d.By))
	}
	return p.Say(words.AutoAllowed, nod.OneLine(d.By))
}

// WithUses adds which use of its lease this was, when that is known.
func WithUses(p Page, text string, used, limit int) string {
	if used == 0 {
		return text
	}
	return p.Say(words.AutoCounted, text, used, limit)
}

// Automatic reports whether nod decided a request.
func Automatic(r *nod.Request) bool { return r.Decision != nil && r.Decision.Automatic() }

// leaseUses counts what was decided under leases, as far as the log was heard.
type leaseUses map[nod.LeaseID]*leaseUse

type leaseUse struct {
	count, limit int
	from         nod.Seq // what happened up to here is in the count
}

// know takes in leases as they stood at a place in the log.
func (u leaseUses) know(leases []*nod.Lease, at nod.Seq) {
	for _, l := range leases {
		u[l.ID] = &leaseUse{count: l.Used, limit: l.Limit, from: at}
	}
}

// note tells which use of its lease a decision is; 0 when that is not known.
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
