package wire

import "encoding/json"

// decision is what Claude Code reads of a PermissionRequest hook.
type decision struct {
	Behavior    string            `json:"behavior"`
	Input       json.RawMessage   `json:"updatedInput,omitempty"`
	Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	Message     string            `json:"message,omitempty"`
	Interrupt   bool              `json:"interrupt,omitempty"`
}

type hookOutput struct {
	Specific any `json:"hookSpecificOutput"`
}

// stopOutput ends the turn. Alone it lets the tool of a PreToolUse run once
// more, so that event gets a denial as well.
type stopOutput struct {
	Continue bool   `json:"continue"`
	Reason   string `json:"stopReason"`
	Specific any    `json:"hookSpecificOutput,omitempty"`
}

type toolOutput struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

type permissionOutput struct {
	Event    string   `json:"hookEventName"`
	Decision decision `json:"decision"`
}

type elicitationOutput struct {
	Event   string          `json:"hookEventName"`
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Allow lets a tool run with exactly this input. Claude Code ignores an allow
// without input for questions and plans, and with it what was shown is what
// runs, so nod always sends it.
func Allow(input json.RawMessage, permissions ...json.RawMessage) ([]byte, error) {
	return json.Marshal(hookOutput{permissionOutput{PermissionRequest, decision{Behavior: "allow", Input: input, Permissions: permissions}}})
}

// Deny refuses a tool call; the model reads the message and goes on, unless
// stop ends the whole turn (and then the message is lost: Claude Code drops it).
func Deny(message string, stop bool) ([]byte, error) {
	return json.Marshal(hookOutput{permissionOutput{PermissionRequest, decision{Behavior: "deny", Message: message, Interrupt: stop}}})
}

// EndTurn ends the turn at an event that can, and is nothing at any other.
func EndTurn(event, reason string) ([]byte, error) {
	switch event {
	case PreToolUse:
		return json.Marshal(stopOutput{Reason: reason, Specific: toolOutput{PreToolUse, "deny", reason}})
	case PostToolUse, PostToolUseFailure, PostToolBatch:
		return json.Marshal(stopOutput{Reason: reason})
	}
	return nil, nil
}

// Elicit answers an MCP server's question: accept with content, decline, cancel.
func Elicit(action string, content json.RawMessage) ([]byte, error) {
	return json.Marshal(hookOutput{elicitationOutput{Elicitation, action, content}})
}

// SetMode is the permission update that changes the session's mode.
func SetMode(mode string) json.RawMessage {
	b, _ := json.Marshal(map[string]string{"type": "setMode", "mode": mode, "destination": "session"})
	return b
}

// Interrupts reports whether a hook's output would stop the whole turn. Such an
// answer still works after the dialog was closed in the terminal, so the hook
// looks once more before it writes one.
func Interrupts(output []byte) bool {
	var o struct {
		Specific struct {
			Decision decision `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	return json.Unmarshal(output, &o) == nil && o.Specific.Decision.Interrupt
}
