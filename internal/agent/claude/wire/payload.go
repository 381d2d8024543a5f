// Package wire knows Claude Code's formats: the input and output of its hooks and its
// status file. It does not know the hub; facts here were measured against Claude Code
// 2.1.325.
package wire

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// The hook events that nod listens to.
const (
	SessionStart       = "SessionStart"
	SessionEnd         = "SessionEnd"
	UserPromptSubmit   = "UserPromptSubmit"
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PostToolBatch      = "PostToolBatch"
	PermissionRequest  = "PermissionRequest"
	PermissionDenied   = "PermissionDenied"
	Notification       = "Notification"
	Stop               = "Stop"
	StopFailure        = "StopFailure"
	SubagentStart      = "SubagentStart"
	SubagentStop       = "SubagentStop"
	PreCompact         = "PreCompact"
	PostCompact        = "PostCompact"
	Elicitation        = "Elicitation"
)

// Events lists them in the order in which a settings file shows them.
func Events() []string {
	return []string{
		SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure,
		PostToolBatch, PermissionDenied, Notification, Stop, StopFailure, SubagentStart, SubagentStop,
		PreCompact, PostCompact, Elicitation, SessionEnd,
	}
}

// Waits reports whether a hook of this event waits for a person.
func Waits(event string) bool { return event == PermissionRequest || event == Elicitation }

// Tools whose calls are not approvals but questions of their own kind.
const (
	AskUserQuestion = "AskUserQuestion"
	ExitPlanMode    = "ExitPlanMode"
)

// Payload is what a hook gets on its standard input: the fields that nod uses
// of all events together. Unknown fields are ignored, because newer versions of Claude
// Code add some all the time.
type Payload struct {
	Event      string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"`
	Mode       string `json:"permission_mode"`
	AgentID    string `json:"agent_id"` // only inside a subagent
	AgentType  string `json:"agent_type"`

	Tool        string            `json:"tool_name"`
	Input       json.RawMessage   `json:"tool_input"`
	Call        string            `json:"tool_use_id"`
	Response    json.RawMessage   `json:"tool_response"`
	Calls       []ToolCall        `json:"tool_calls"`
	Suggestions []json.RawMessage `json:"permission_suggestions"`

	Source  string `json:"source"` // SessionStart
	Model   string `json:"model"`
	Title   string `json:"session_title"`
	Prompt  string `json:"prompt"`
	Reason  string `json:"reason"` // SessionEnd, PermissionDenied
	Answer  string `json:"last_assistant_message"`
	Message string `json:"message"` // Notification, Elicitation
	Notice  string `json:"notification_type"`
	Error   string `json:"error"` // StopFailure, PostToolUseFailure
	Details string `json:"error_details"`
	Trigger string `json:"trigger"`

	Server string          `json:"mcp_server_name"` // Elicitation
	How    string          `json:"mode"`            // "form" or "url"
	URL    string          `json:"url"`
	Schema json.RawMessage `json:"requested_schema"`
}

// ToolCall is one call of a PostToolBatch.
type ToolCall struct {
	Tool     string          `json:"tool_name"`
	Input    json.RawMessage `json:"tool_input"`
	Call     string          `json:"tool_use_id"`
	Response json.RawMessage `json:"tool_response"`
}

// Parse reads a hook's input.
func Parse(b []byte) (Payload, error) {
	var p Payload
	if !utf8.Valid(b) {
		return p, fmt.Errorf("the hook's input is not UTF-8")
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("the hook's input is not what Claude Code sends: %w", err)
	}
	if p.Event == "" || p.Session == "" {
		return p, fmt.Errorf("the hook's input lacks hook_event_name or session_id")
	}
	return p, nil
}
