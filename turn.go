package nod

import "time"

// Turn is one utterance in a conversation, or one action of the agent in it.
type Turn struct {
	Agent   AgentID   `json:"agent"`
	Role    Role      `json:"role"`
	Text    string    `json:"text"`
	Tool    string    `json:"tool,omitempty"` // with Acted: which tool; with Noted: which key
	Cut     int       `json:"cut,omitempty"`  // bytes left out of Text, never silently
	Who     *Subagent `json:"subagent,omitempty"`
	To      MessageID `json:"message,omitempty"` // the message that was read, or that this turn answers, if known
	Trouble Trouble   `json:"trouble,omitempty"` // with Noted: To was read, and gets no answer
	At      time.Time `json:"at"`
	Seq     Seq       `json:"seq"` // its position in the log; set when it is recorded
}

// Role says whose turn it was.
type Role string

const (
	TurnPerson Role = "person" // a prompt
	TurnAgent  Role = "agent"  // the final answer of a turn
	TurnTool   Role = "tool"   // a tool call
	TurnSystem Role = "system" // a notice: compaction, an error
)

// Trouble is why a message got no answer, as a code that clients can translate.
type Trouble string

const (
	TroubleLogin   Trouble = "login"   // the agent's program is not signed in
	TroubleProgram Trouble = "program" // the program does not exist or does not start
	TroubleLimit   Trouble = "limit"   // the provider's usage limit
	TroubleBusy    Trouble = "busy"    // the provider is overloaded or unreachable
	TroubleCrash   Trouble = "crash"   // the agent's program crashed
	TroubleRestart Trouble = "restart" // nod itself restarted
	TroubleTimeout Trouble = "timeout"
	TroubleStopped Trouble = "stopped" // by a person
	TroubleRefused Trouble = "refused" // a person or a rule said no before anything was done
	TroubleError   Trouble = "error"   // anything else
)
