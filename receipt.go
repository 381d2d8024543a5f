package nod

import "time"

// Receipt proves one step of a request's way. Each is confirmed by the party
// that did it, never assumed by another.
type Receipt struct {
	Step  Step      `json:"step"`
	By    string    `json:"by,omitempty"`
	Via   string    `json:"via,omitempty"`
	Proof string    `json:"proof,omitempty"` // what showed it: "PostToolUse"
	At    time.Time `json:"at"`
}

// Step is one station on the way of a request.
type Step string

// The steps, in order. Doubted and Overruled are the two ways in which a
// decision may turn out not to have taken effect; Held is no step forward.
const (
	StepRaised    Step = "raised"    // the agent's hook asked
	StepStored    Step = "stored"    // it is on disk; it cannot be lost any more
	StepTold      Step = "told"      // a device that may answer was notified: its push service took the message
	StepShown     Step = "shown"     // a device drew it
	StepDecided   Step = "decided"   // an answer won and is on disk
	StepDelivered Step = "delivered" // the agent's hook wrote it to the agent
	StepApplied   Step = "applied"   // the agent's own next event shows that it did so
	StepDoubted   Step = "doubted"   // no such event came in time
	StepHeld      Step = "held"      // whoever asked waits at another hub of the same log now: By names it
	StepOverruled Step = "overruled" // the agent did something else: the terminal was first
)

// Receipt finds the newest receipt of a step.
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
