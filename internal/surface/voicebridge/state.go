package voicebridge

import (
	"strings"

	"nod"
)

// state is where the work on one command stands, in the words of this wire.
type state string

const (
	idle          state = "idle"
	commanded     state = "commanded" // a message is on its way, or was just heard
	processing    state = "processing"
	awaitingInput state = "awaiting_input"
	complete      state = "complete"
)

// upper is how lists and cards spell a state.
func (s state) upper() string { return strings.ToUpper(string(s)) }

// actor is whose turn it was.
type actor string

const (
	user  actor = "user"
	agent actor = "agent"
)

// intent is what a turn was for.
type intent string

const (
	command      intent = "command"
	answer       intent = "answer"
	question     intent = "question"
	progress     intent = "progress"
	completion   intent = "completion"
	endOfCommand intent = "end_of_command"
)

// transitions are all that exist. Anything else leaves the state as it is, but the
// turn itself is always kept.
var transitions = [...]struct {
	from   state
	actor  actor
	intent intent
	to     state
}{
	{idle, user, command, commanded},
	{idle, agent, progress, processing},
	{idle, agent, question, awaitingInput},
	{idle, agent, completion, complete},
	{idle, agent, endOfCommand, complete},
	{commanded, user, command, commanded},
	{commanded, agent, progress, processing},
	{commanded, agent, question, awaitingInput},
	{commanded, agent, completion, complete},
	{commanded, agent, endOfCommand, complete},
	{processing, user, command, processing},
	{processing, user, answer, processing},
	{processing, agent, progress, processing},
	{processing, agent, question, awaitingInput},
	{processing, agent, completion, complete},
	{processing, agent, endOfCommand, complete},
	{awaitingInput, user, answer, processing},
	{awaitingInput, agent, question, awaitingInput},
	{awaitingInput, agent, progress, awaitingInput},
	{awaitingInput, agent, completion, complete},
	{awaitingInput, agent, endOfCommand, complete},
}

// next is the state after a turn; ok is false if there is no such transition.
func next(from state, by actor, what intent) (to state, ok bool) {
	for _, t := range transitions {
		if t.from == from && t.actor == by && t.intent == what {
			return t.to, true
		}
	}
	return from, false
}

// stateOf is what an agent does. Its own record decides; the conversation adds what
// the record does not say: that its last words were a question, or that a message is
// on its way to it.
func stateOf(a *nod.Agent, talk state, underway bool) state {
	switch {
	case a.State == nod.AgentEnded:
		return complete
	case a.State == nod.AgentWaiting, a.NeedsYou != "":
		return awaitingInput
	case a.State == nod.AgentWorking:
		return processing
	case underway:
		return commanded
	case a.State == nod.AgentIdle && talk == awaitingInput:
		return awaitingInput
	}
	return idle
}
