package puck

import "nod/internal/present/puck"

// Follows is what a gesture does, in a word that the page explains.
type Follows string

// What can follow.
const (
	Nothing     Follows = "nothing"
	OfferAllow  Follows = "offer_allow"  // shows a yes that a second gesture confirms
	OfferRefuse Follows = "offer_refuse" // and a no
	Allow       Follows = "allow"
	Refuse      Follows = "refuse"
	RefuseAll   Follows = "refuse_all" // of several, and the task with it
	OnScreen    Follows = "on_screen"  // it says that a screen is needed
	Back        Follows = "back"       // to the question
	Next        Follows = "next"
	Previous    Follows = "previous"
	Choose      Follows = "choose"
	Cancel      Follows = "cancel"
	Stop        Follows = "stop" // the agent that works for this puck
	GoOn        Follows = "go_on"
	Close       Follows = "close" // the conversation
	Dismiss     Follows = "dismiss"
)

// gestures are what a hand can do at a puck.
func gestures() []puck.Event {
	return []puck.Event{puck.DialCW, puck.DialCCW, puck.Button, puck.LongPress, puck.Tap2, puck.Tap3, puck.Tap4, puck.Tap5}
}

// does asks the state machine what each gesture would do now.
func does(m puck.Memory) map[puck.Event]Follows {
	all := map[puck.Event]Follows{}
	for _, e := range gestures() {
		after, effects := puck.Step(m, puck.Input{Event: e, Request: m.Request})
		all[e] = follows(m, after, e, effects)
	}
	return all
}

func follows(before, after puck.Memory, on puck.Event, effects []puck.Effect) Follows {
	said, interrupts := answered(effects)
	switch {
	case said == puck.Approved:
		return Allow
	case said == puck.Rejected && interrupts:
		return RefuseAll
	case said == puck.Rejected:
		return Refuse
	case said == puck.Chosen:
		return Choose
	case said == puck.Cancelled:
		return Cancel
	case interrupts:
		return Stop
	case says(effects, puck.SayOnScreen):
		return OnScreen
	}
	switch from, to := before.At(), after.At(); {
	case from != to && to == puck.PreviewApprove:
		return OfferAllow
	case from != to && to == puck.PreviewReject:
		return OfferRefuse
	case from != to && to == puck.Waiting:
		return Back
	case from != to:
		return Dismiss
	case from == puck.MultipleChoice && says(effects, puck.SayOption):
		if on == puck.DialCCW {
			return Previous
		}
		return Next
	case from == puck.Idle && before.Context && after.Context:
		return GoOn
	case from == puck.Idle && before.Context:
		return Close
	}
	return Nothing
}

func answered(effects []puck.Effect) (what string, interrupts bool) {
	for _, e := range effects {
		if e.Answer != nil {
			what = e.Answer.Type
		}
		interrupts = interrupts || e.Interrupt
	}
	return what, interrupts
}

func says(effects []puck.Effect, key puck.Say) bool {
	for _, e := range effects {
		if e.Say != nil && e.Say.Key == key {
			return true
		}
	}
	return false
}
