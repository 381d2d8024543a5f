// Package stdio speaks Claude Code's control protocol: a program is started once and
// exchanges JSON objects with nod, one per line. nod uses it where there is no terminal.
// It does not know the hub; facts here were measured against Claude Code 2.1.325.
package stdio

import (
	"encoding/json"
	"slices"
)

// Message is one line that Claude Code wrote: the fields that nod uses of all
// types together. Unknown fields and types are ignored, because newer versions add some
// all the time.
type Message struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Session string `json:"session_id"`
	UUID    string `json:"uuid"`
	Parent  string `json:"parent_tool_use_id"` // set inside a subagent

	// control_request, control_response, control_cancel_request
	RequestID string   `json:"request_id"`
	Request   *Request `json:"request"`
	Response  *struct {
		Subtype   string          `json:"subtype"`
		RequestID string          `json:"request_id"`
		Error     string          `json:"error"`
		Response  json.RawMessage `json:"response"`
	} `json:"response"`

	// command_lifecycle, and other messages about what was said
	Command string   `json:"command_uuid"`
	State   string   `json:"state"` // queued, started, completed, cancelled
	Said    string   `json:"user_message_uuid"`
	SaidAll []string `json:"user_message_uuids"`
	Replay  bool     `json:"isReplay"`

	// system
	Model      string `json:"model"`
	Mode       string `json:"permissionMode"`
	Status     string `json:"status"`
	Attempt    int    `json:"attempt"`
	MaxRetries int    `json:"max_retries"`
	ErrorCode  int    `json:"error_status"`

	Words *Words `json:"message"` // assistant, user
	Event *Event `json:"event"`   // stream_event

	// rate_limit_event
	Limit *struct {
		Status string `json:"status"`
		Resets int64  `json:"resetsAt"`
	} `json:"rate_limit_info"`

	// result, and an assistant message that stands for an error
	IsError  bool            `json:"is_error"`
	Result   string          `json:"result"`
	Errors   []string        `json:"errors"`
	Ended    string          `json:"terminal_reason"`
	APICode  int             `json:"api_error_status"`
	APIError string          `json:"api_error"`
	Synth    bool            `json:"is_api_error_message"`
	Error    json.RawMessage `json:"error"`
	Usage    map[string]struct {
		Window int `json:"contextWindow"`
	} `json:"modelUsage"`
}

// The types of message that nod knows.
const (
	TypeControl   = "control_request"
	TypeAnswer    = "control_response"
	TypeCancel    = "control_cancel_request"
	TypeLifecycle = "command_lifecycle"
	TypeSystem    = "system"
	TypeAssistant = "assistant"
	TypeUser      = "user"
	TypeStream    = "stream_event"
	TypeLimit     = "rate_limit_event"
	TypeResult    = "result"
)

// What Claude Code asks of its host.
const (
	CanUseTool  = "can_use_tool"
	Elicitation = "elicitation"
)

// Request is what Claude Code asks of its host.
type Request struct {
	Subtype     string            `json:"subtype"`
	Tool        string            `json:"tool_name"`
	Input       json.RawMessage   `json:"input"`
	Call        string            `json:"tool_use_id"`
	Agent       string            `json:"agent_id"`
	Suggestions []json.RawMessage `json:"permission_suggestions"`
	NoAlways    bool              `json:"suppress_always_allow_rule"`
	DefaultNo   bool              `json:"default_to_no"`
	Interactive bool              `json:"requires_user_interaction"` // one tap is not enough

	Server string          `json:"mcp_server_name"` // elicitation
	Words  string          `json:"message"`
	Mode   string          `json:"mode"`
	URL    string          `json:"url"`
	Schema json.RawMessage `json:"requested_schema"`
}

// Words is a message of the model's API.
type Words struct {
	ID      string  `json:"id"`
	Model   string  `json:"model"`
	Content Content `json:"content"`
	Usage   *Usage  `json:"usage"`
}

// Content is a list of blocks; a plain text counts as one.
type Content []Block

// UnmarshalJSON takes both forms.
func (c *Content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = Content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(b, (*[]Block)(c))
}

// Block is one piece of content.
type Block struct {
	Type  string          `json:"type"` // text, tool_use, tool_result, thinking, …
	Text  string          `json:"text"`
	ID    string          `json:"id"` // tool_use
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Call  string          `json:"tool_use_id"` // tool_result
	Error bool            `json:"is_error"`
}

// Usage is what one request to the model's API took.
type Usage struct {
	Input   int `json:"input_tokens"`
	Output  int `json:"output_tokens"`
	Created int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
}

// Tokens is how much the model had before it.
func (u *Usage) Tokens() int { return u.Input + u.Output + u.Created + u.Read }

// Event is one event of the model's API while it streams.
type Event struct {
	Type  string `json:"type"`
	Block *Block `json:"content_block"`
	Delta *struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"delta"`
	Message *Words `json:"message"`
	Usage   *Usage `json:"usage"`
}

// About reports whether a message belongs to the words with this uuid, as far as
// it says; one that does not say may belong to any.
func (m *Message) About(uuid string) bool {
	if m.Said == "" && len(m.SaidAll) == 0 {
		return true
	}
	return m.Said == uuid || slices.Contains(m.SaidAll, uuid)
}

// Confirms reports whether a message shows that the program has the words with this
// uuid. Their echo comes only when the model begins to answer; an earlier message says
// that the program has started on them.
func (m *Message) Confirms(uuid string) bool {
	switch {
	case m.Type == TypeLifecycle:
		return m.Command == uuid && m.State == "started"
	case m.Type == TypeUser && m.Replay:
		return m.UUID == uuid
	}
	return m.Said == uuid || slices.Contains(m.SaidAll, uuid)
}

// Why is the name that Claude Code gives an error.
func (m *Message) Why() string {
	var name string
	_ = json.Unmarshal(m.Error, &name) // an object has nothing that nod knows
	return name
}
