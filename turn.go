package nod

import "time"

// Turn is one utterance in a conversation, or one thing the agent did in it.
type Turn struct {
	Agent   AgentID   `json:"agent"`
	Role    Role      `json:"role"`
	Text    string    `json:"text"`
	Tool    string    `json:"tool,omitempty"` // with Acted: which tool; with Noted: which key
	Cut     int       `json:"cut,omitempty"`  // bytes left out of Text, never silently
	Who     *Subagent `json:"subagent,omitempty"`
	To      MessageID `json:"message,omitempty"` // the message that was heard, or that it answers, if that is known
	Trouble Trouble   `json:"trouble,omitempty"` // with Noted: To was heard, and there is no answer to it
	At      time.Time `json:"at"`
	Seq     Seq       `json:"seq"` // its place in the log; set when it is recorded
}

// Role says whose turn it was.
type Role string

// The roles of a turn.
const (
	TurnPerson Role = "person" // a prompt
	TurnAgent  Role = "agent"  // the final answer of a turn
	TurnTool   Role = "tool"   // a tool call that was made
	TurnSystem Role = "system" // a notice: compaction, an error
)

// Trouble is why words came to nothing, in a word that doors can translate.
type Trouble string

// The troubles.
const (
	TroubleLogin   Trouble = "login"   // the agent's program is not signed in
	TroubleProgram Trouble = "program" // there is no such program, or it does not start
	TroubleLimit   Trouble = "limit"   // the provider's usage limit
	TroubleBusy    Trouble = "busy"    // the provider is overloaded, or cannot be reached
	TroubleCrash   Trouble = "crash"   // the agent's program ended in the middle
	TroubleRestart Trouble = "restart" // nod itself did
	TroubleTimeout Trouble = "timeout"
	TroubleStopped Trouble = "stopped" // by a person
	TroubleRefused Trouble = "refused" // a person or a rule said no before anything was done
	TroubleError   Trouble = "error"   // anything else
)
