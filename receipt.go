package nod

import "time"

// Receipt proves one step of a request. The party that took the step confirms it; no one else assumes it.
type Receipt struct {
	Step  Step      `json:"step"`
	By    string    `json:"by,omitempty"`
	Via   string    `json:"via,omitempty"`
	Proof string    `json:"proof,omitempty"` // the evidence: "PostToolUse"
	At    time.Time `json:"at"`
}

// Step is one stage in the life of a request.
type Step string

// The steps, in order. Doubted and Overruled mean that a decision may not have taken effect; Held is no step forward.
const (
	StepRaised    Step = "raised"    // the agent's hook asked
	StepStored    Step = "stored"    // it is on disk and cannot be lost any more
	StepTold      Step = "told"      // a device that may answer was notified: its push service accepted the message
	StepShown     Step = "shown"     // a device displayed it
	StepDecided   Step = "decided"   // an answer won and is on disk
	StepDelivered Step = "delivered" // the agent's hook wrote it to the agent
	StepApplied   Step = "applied"   // the agent's own next event confirms it
	StepDoubted   Step = "doubted"   // no such event came in time
	StepHeld      Step = "held"      // the asking process now waits at another hub of the same log: By names it
	StepOverruled Step = "overruled" // the agent did something else: the terminal answered first
)

// Receipt returns the newest receipt of a step.
func (r *Request) Receipt(step Step) (Receipt, bool) {
	for i := len(r.Receipts) - 1; i >= 0; i-- {
		if r.Receipts[i].Step == step {
			return r.Receipts[i], true
		}
	}
	return Receipt{}, false
}

// Step is how far the request has provably come.
func (r *Request) Step() Step {
	for _, s := range []Step{StepOverruled, StepApplied, StepDoubted, StepDelivered, StepDecided, StepShown, StepTold, StepStored} {
		if _, ok := r.Receipt(s); ok {
			return s
		}
	}
	return StepRaised
}
