package hub

import (
	"slices"
	"strings"
	"time"

	"nod"
)

// Policy looks at a request before a person does. It sees the request as it is
// raised and the leases that reach its agent, and touches nothing. It runs
// inside the commit of the ask, so that an automatic answer and its reason are
// one record with the question.
type Policy interface {
	Judge(r *nod.Request, leases []*nod.Lease) Judgement
	// Check refuses rules that a lease cannot have.
	Check(rules []string) error
}

// Judgement is what a policy says about a request.
type Judgement struct {
	Risk    *nod.Risk
	Verdict nod.Verdict // allow or deny; empty: a person decides
	Rule    string      // which rule said so
	Message string      // with deny: for the agent
	Lease   nod.LeaseID // the lease that allowed it
	Kind    []string    // rules that would allow things of its kind; none when nothing like it may pass unseen
}

// judge is what this hub decides by itself, and what takes a passkey from a person.
type judge struct {
	policy Policy // nil: everything is a person's
	proof  proof
}

// The risk of a request that may be about something else than its input: whatever a rule
// or a lease says of the input, it says nothing about the dialog that the answer goes into.
const (
	unknownRisk  = "unknown"
	UnsureReason = "the terminal may be asking about something else"
)

// approval lets the policy judge an approval. Questions, plans and forms are a
// person's: no rule can know what they want.
func (j *judge) approval(s *nod.State, r *nod.Request, now time.Time) Judgement {
	if r.Unsure && r.Kind == nod.KindApproval {
		r.Risk = j.unsureRisk(r)
		return Judgement{}
	}
	if j.policy == nil || r.Kind != nod.KindApproval {
		return Judgement{}
	}
	judged := j.policy.Judge(r, leasesFor(s, &r.Agent, now))
	r.Risk = judged.Risk
	if judged.Verdict == "" && len(judged.Kind) > 0 {
		r.Options = append(slices.Clip(r.Options), nod.Option{
			ID: "lease", Kind: nod.OptionLease, Label: strings.Join(judged.Kind, " "), Rules: judged.Kind,
		})
	}
	return judged
}

// unsureRisk is unknown, or what its input would be if that is graver: doubt must not
// make anything easier.
func (j *judge) unsureRisk(r *nod.Request) *nod.Risk {
	if j.policy != nil {
		if own := j.policy.Judge(r, nil).Risk; own != nil && (own.Level == "destructive" || own.Level == "secret") {
			return own
		}
	}
	return &nod.Risk{Level: unknownRisk, Reason: UnsureReason}
}

// answers turns a verdict into the decision that goes with the request. One that
// does not fit the request is left to a person.
func (j Judgement) answers(s *nod.State, r *nod.Request, now time.Time) []nod.Event {
	if j.Verdict == "" {
		return nil
	}
	fit, err := r.Fit(nod.Answer{Verdict: j.Verdict, Message: j.Message})
	if err != nil {
		return nil
	}
	d := &nod.Decision{Answer: fit, By: j.Rule, Via: nod.ViaPolicy, At: now}
	lease := s.Leases[j.Lease]
	if lease != nil {
		d.By, d.Via, d.Under = lease.By, nod.ViaLease, lease.ID
	}
	by := nod.Actor{Kind: nod.ActorPolicy, Name: d.By, Via: d.Via}
	events := []nod.Event{{Kind: nod.RequestDecided, RequestID: r.ID, AgentID: r.Agent.ID, By: &by, Decision: d}}
	if lease != nil && lease.Used+1 >= lease.Limit {
		used := *lease
		used.Used++
		events = append(events, endLease(&used, nod.LeaseEnd{Reason: nod.LeaseEndUsedUp}, now))
	}
	return events
}
