// Package server is nod's MCP server: tools with which an agent reaches its person. It
// is the same on stdio (`nod mcp`, started by the agent) and over HTTP (/mcp, in the
// hub); only the Hub behind it differs. Agents can ask and tell, but never answer.
package server

import (
	"context"
	"encoding/json"
	"time"

	"nod"
)

// Hub is the hub as a server of this package sees it.
type Hub interface {
	// Ask raises a request, or finds the one with the same id, and returns when it is
	// settled.
	Ask(ctx context.Context, c Caller, a Asked) (Outcome, error)
	// Tell shows people something that needs no answer.
	Tell(ctx context.Context, c Caller, n Note) error
	// Decisions are the newest of this agent, newest first.
	Decisions(ctx context.Context, c Caller, most int) ([]Decided, error)
	// Keys applies a change, if there is one, and returns the keys of the agent.
	Keys(ctx context.Context, c Caller, change *Change) (Keys, error)
	// Watch keeps the agent present until ctx ends, and calls changed whenever Keys would
	// return something new.
	Watch(ctx context.Context, c Caller, changed func()) error
}

// Caller is the agent that a server belongs to.
type Caller struct {
	Agent  string `json:"agent"`            // its session, or a random id
	Client string `json:"client,omitempty"` // what its program calls itself
	Host   string `json:"host,omitempty"`
	Cwd    string `json:"cwd,omitempty"`
	PID    int    `json:"pid,omitempty"` // of the program that started the server; a claim
}

// Asked is a question, or, with a Tool, whether a call of it may be made.
type Asked struct {
	ID       nod.RequestID   `json:"id,omitempty"` // chosen by the caller; the same id is the same request
	Question string          `json:"question,omitempty"`
	Details  string          `json:"details,omitempty"`
	Options  []nod.Choice    `json:"options,omitempty"`
	Multi    bool            `json:"multi_select,omitempty"`
	Closed   bool            `json:"options_only,omitempty"` // no free text
	Tool     string          `json:"tool,omitempty"`
	Input    json.RawMessage `json:"input,omitempty"`
	Call     string          `json:"call,omitempty"` // the agent's own id of the tool call
}

// Outcome is how a request ended.
type Outcome struct {
	Request    nod.RequestID   `json:"request"`
	Status     nod.Status      `json:"status"`
	Verdict    nod.Verdict     `json:"verdict,omitempty"`
	Answer     nod.Reply       `json:"answer,omitzero"`
	Message    string          `json:"message,omitempty"`
	Stop       bool            `json:"stop,omitempty"`
	By         string          `json:"by,omitempty"`
	Permission json.RawMessage `json:"permission,omitempty"` // an allow or a deny, for a permission prompt tool
}

// Note is something to show. With a Total it is how far the agent is.
type Note struct {
	Text      string  `json:"text"`
	Important bool    `json:"important,omitempty"` // the person should look now
	Progress  bool    `json:"progress,omitempty"`
	Done      float64 `json:"done,omitempty"`
	Total     float64 `json:"total,omitempty"`
}

// Decided is a request of the agent that is settled.
type Decided struct {
	Request   nod.RequestID   `json:"request"`
	Kind      nod.RequestKind `json:"kind"`
	Title     string          `json:"title"`
	Status    nod.Status      `json:"status"`
	Verdict   nod.Verdict     `json:"verdict,omitempty"`
	Answers   nod.Answers     `json:"answers,omitempty"`
	Message   string          `json:"message,omitempty"`
	By        string          `json:"by,omitempty"`
	Automatic bool            `json:"automatic,omitempty"` // a rule or a lease, no person
	At        time.Time       `json:"at"`
}

// keyCount is how many keys a keyboard has.
const keyCount = 4

// Change sets the keys: to those for a context, or to buttons of the agent's own.
type Change struct {
	Context string   `json:"context,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	Buttons []string `json:"buttons,omitempty"`
	Actions []string `json:"actions,omitempty"`
	Images  []string `json:"images,omitempty"`
}

// Keys is the result of get_keyboard_status. The names are those of the original
// project, because its programs read them.
type Keys struct {
	Connected bool    `json:"connected"`
	Session   string  `json:"sessionId"`
	PID       int     `json:"claudePid"`
	Context   Context `json:"currentContext"`
	Queue     int     `json:"queueLength"`
}

// Context is what the keys show and why.
type Context struct {
	Type      string           `json:"type"`
	Detail    string           `json:"detail"`
	Buttons   [keyCount]string `json:"buttons"`
	Images    [keyCount]string `json:"images"`
	Timestamp int64            `json:"timestamp"` // milliseconds since 1970
}

// Intake is the path of the routes for servers outside of the hub. They need the right
// to raise and no other.
const (
	Intake        = "/v1/mcp"
	PathAsk       = Intake + "/ask"
	PathDrop      = Intake + "/drop"
	PathTell      = Intake + "/tell"
	PathDecisions = Intake + "/decisions"
	PathKeys      = Intake + "/keys"
	PathWatch     = Intake + "/watch"
)

// Call is the body of every POST to the Intake.
type Call struct {
	Caller Caller        `json:"caller"`
	Ask    *Asked        `json:"ask,omitempty"`
	Drop   nod.RequestID `json:"drop,omitempty"`
	Note   *Note         `json:"note,omitempty"`
	Most   int           `json:"most,omitempty"`
	Change *Change       `json:"change,omitempty"`
}

// During a wait the hub sends empty lines as heartbeats, so that a hub that hangs differs
// from a person who is slow.
const (
	Heartbeat = 5 * time.Second
	Silence   = 20 * time.Second
)
