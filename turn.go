package nod

import "time"

// Turn is one utterance in a conversation, or one thing the agent did in it.
type Turn struct {
	Agent AgentID   `json:"agent"`
	Role  Role      `json:"role"`
	Text  string    `json:"text"`
	Tool  string    `json:"tool,omitempty"` // with Acted: which tool
	Cut   int       `json:"cut,omitempty"`  // bytes left out of Text, never silently
	Who   *Subagent `json:"subagent,omitempty"`
	At    time.Time `json:"at"`
	Seq   Seq       `json:"seq"` // its place in the log; set when it is recorded
}

// Role says whose turn it was.
type Role string

// The roles of a turn.
const (
	Said    Role = "person" // a prompt
	Replied Role = "agent"  // the final answer of a turn
	Acted   Role = "tool"   // a tool call that was made
	Noted   Role = "system" // a notice: compaction, an error
)
