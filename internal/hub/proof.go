package hub

import (
	"bytes"
	"slices"

	"nod"
)

// proof is the levels of risk that take a passkey to allow, however many rights the
// actor holds: a right can be stolen with a phone, a finger cannot.
type proof []string

func (p proof) covers(r *nod.Risk) bool { return r != nil && slices.Contains(p, r.Level) }

// NeedsProof reports whether it takes a passkey to allow a request. To deny never
// takes one.
func (h *Hub) NeedsProof(r *nod.Request) bool { return h.judge.proof.covers(r.Risk) }

// ProofLevels lists the levels of risk that take a passkey to allow.
func (h *Hub) ProofLevels() []string { return slices.Clone(h.judge.proof) }

// wantProof refuses an answer that fits, when it lets something happen that
// takes a passkey and the actor has not shown one for this very request. To
// refuse and to stop never takes one: it must be quick.
func (j *judge) wantProof(r *nod.Request, a nod.Answer, by nod.Actor) error {
	if len(j.proof) == 0 || a.Verdict == nod.VerdictDeny || by.Proven == r.ID {
		return nil
	}
	if !j.proof.covers(r.Risk) && !j.proof.covers(j.edited(r, a)) {
		return nil
	}
	if by.Kind == nod.ActorPerson {
		// A terminal has no way to a passkey.
		return nod.Errorf(nod.ProofNeeded, "Confirm with your passkey: open nod in a browser and allow it there, or answer in the agent's own dialog. To deny works here")
	}
	return nod.Errorf(nod.ProofNeeded, "Confirm with your passkey: this hub wants it before something like this is allowed")
}

// edited is the risk of what an answer would run instead. Without this an edit would be
// a way around the passkey: allow something harmless, and change what it runs.
func (j *judge) edited(r *nod.Request, a nod.Answer) *nod.Risk {
	if len(a.Input) == 0 || j.policy == nil || r.Kind != nod.KindApproval {
		return nil
	}
	fit, err := r.Fit(a)
	if err != nil || bytes.Equal(fit.Input, r.Input) {
		return nil
	}
	other := *r
	other.Input = fit.Input
	return j.policy.Judge(&other, nil).Risk
}

// withoutLeases is a policy whose leases do not cover what takes a passkey. Granting a
// lease takes only the right to answer, so it must not allow more than an answer could.
// Rules in nod.toml come from the owner of the hub, and hold as they are.
func withoutLeases(p Policy, levels []string) Policy {
	if p == nil || len(levels) == 0 {
		return p
	}
	return unleased{p, levels}
}

type unleased struct {
	Policy
	proof proof
}

// Judge implements Policy.
func (u unleased) Judge(r *nod.Request, leases []*nod.Lease) Judgement {
	j := u.Policy.Judge(r, leases)
	if j.Lease != "" && j.Verdict == nod.VerdictAllow && u.proof.covers(j.Risk) {
		return u.Policy.Judge(r, nil)
	}
	return j
}
