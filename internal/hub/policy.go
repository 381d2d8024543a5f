package hub

import (
	"time"

	"nod"
)

// Policy looks at a request before a person does. It sees the request as it is
// raised and touches nothing. It runs inside the commit of the ask, so that an
// automatic answer and its reason are one record with the question.
type Policy interface {
	Judge(r *nod.Request) Judgement
}

// Judgement is what a policy thinks of a request.
type Judgement struct {
	Risk    *nod.Risk
	Verdict nod.Verdict // allow or deny; empty: a person decides
	Rule    string      // which rule said so
	Message string      // with deny: what the agent is told
}

// judge lets the policy have its say about an approval. Questions, plans and
// forms are a person's: nobody else can know what they want.
func (h *Hub) judge(r *nod.Request) Judgement {
	if h.policy == nil || r.Kind != nod.Approval {
		return Judgement{}
	}
	j := h.policy.Judge(r)
	r.Risk = j.Risk
	return j
}

// answers turns a verdict into the decision that goes with the request. One that
// does not fit the request is left to a person.
func (j Judgement) answers(r *nod.Request, now time.Time) []nod.Event {
	if j.Verdict == "" {
		return nil
	}
	fit, err := r.Fit(nod.Answer{Verdict: j.Verdict, Message: j.Message})
	if err != nil {
		return nil
	}
	by := nod.Actor{Kind: nod.Policy, Name: j.Rule, Via: "policy"}
	return []nod.Event{{
		Kind: nod.RequestDecided, RequestID: r.ID, AgentID: r.Agent.ID, By: &by,
		Decision: &nod.Decision{Answer: fit, By: by.Name, Via: by.Via, At: now},
	}}
}
