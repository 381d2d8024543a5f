package keyboard

import (
	"context"
	"encoding/json"
	"net/http"

	"nod"
)

// contexts are the keys that fit what an agent says it is doing.
func contexts(context string) (labels, emojis [count]string) {
	switch context {
	case "git_operations":
		return [count]string{"STOP", "Commit", "Push", "Help"}, [count]string{"🛑", "💾", "⏫", "❓"}
	case "debugging":
		return [count]string{"STOP", "Debug", "Retry", "Help"}, [count]string{"🛑", "🐞", "🔁", "❓"}
	case "testing":
		return [count]string{"STOP", "Run tests", "Fix", "Help"}, [count]string{"🛑", "🧪", "🔧", "❓"}
	case "file_operations":
		return [count]string{"STOP", "Overwrite", "Cancel", "Help"}, [count]string{"🛑", "💾", "❌", "❓"}
	case "question_yesno":
		return [count]string{"Yes", "No", "More Info", "Help"}, [count]string{"✅", "❌", "➕", "❓"}
	case "question_choice":
		return [count]string{"1", "2", "3", "4"}, [count]string{"1️⃣", "2️⃣", "3️⃣", "4️⃣"}
	}
	std := standard()
	return std.labels, std.emojis
}

// Tool does what the original's MCP tools do. A caller that may not answer cannot set
// keys that say something else than they show.
func (s *Surface) Tool(_ context.Context, by nod.Actor, name string, arguments json.RawMessage) (any, error) {
	var in struct {
		Context string   `json:"context"`
		Detail  string   `json:"detail"`
		Buttons []string `json:"buttons"`
		Actions []string `json:"actions"`
		Images  []string `json:"images"`
	}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, nod.Errorf(nod.Invalid, "the arguments of %s do not fit", clip(name, 40)).Because(err)
		}
	}
	switch name {
	case "update_keyboard_context":
		return s.setContext(by, in.Context, in.Detail), nil
	case "set_keyboard_buttons":
		if len(in.Buttons) != count {
			return nil, nod.Errorf(nod.Invalid, "buttons are four texts")
		}
		b := newButtons(by, in.Buttons, in.Actions, in.Images, s.Now())
		s.set(b)
		return struct {
			Success bool          `json:"success"`
			Buttons [count]string `json:"buttons"`
		}{true, b.labels}, nil
	case "get_keyboard_status":
		return s.Status(), nil
	}
	return nil, nod.Errorf(nod.NotFound, "Unknown tool: %s", clip(name, 40))
}

func (s *Surface) set(b *buttons) {
	s.programs.set(b)
	s.Refresh()
}

func (s *Surface) setContext(by nod.Actor, context, detail string) any {
	labels, emojis := contexts(context)
	s.set(&buttons{context: clip(context, 40), detail: clip(detail, longestAction), labels: labels, emojis: emojis, trusted: by.Can(nod.Answering), at: s.Now()})
	return struct {
		Success bool          `json:"success"`
		Context string        `json:"context"`
		Buttons [count]string `json:"buttons"`
		Reason  string        `json:"reasoning"`
	}{true, clip(context, 40), labels, "the usual keys for this"}
}

// Status is the answer of get_keyboard_status.
type Status struct {
	Connected bool    `json:"connected"`
	Session   string  `json:"sessionId"`
	PID       int     `json:"claudePid"`
	Context   Context `json:"currentContext"`
	Queue     int     `json:"queueLength"`
}

// Context is what the keys are about, as far as a program has set it.
type Context struct {
	Type      string    `json:"type"`
	Detail    string    `json:"detail"`
	Buttons   [4]string `json:"buttons"`
	Images    [4]string `json:"images"`
	Timestamp int64     `json:"timestamp"`
}

// Status reports the state of the keyboards.
func (s *Surface) Status() Status {
	pid, _ := s.pid()
	b := s.programs.buttons().orStandard()
	at := b.at
	if at.IsZero() {
		at = s.started
	}
	return Status{s.boards.connected(), s.saved.session(), pid, Context{b.context, b.detail, b.labels, b.images, at.UnixMilli()}, s.inputs.waiting()}
}

// tool is POST /mcp/tool. Programs on this machine may read; setting keys takes the
// right to answer.
func (c *call) tool() {
	var in struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusInternalServerError, "Invalid JSON")
		return
	}
	if in.Name != "get_keyboard_status" && !c.who.Can(nod.Answering) {
		err := c.Hub.Desk(c.who).Allowed(c.r.Context(), nod.Answering, "set the keys of a keyboard")
		c.fail(http.StatusForbidden, nod.MessageOf(err))
		return
	}
	result, err := c.Tool(c.r.Context(), c.who, in.Name, in.Arguments)
	if err != nil {
		c.fail(http.StatusInternalServerError, nod.MessageOf(err))
		return
	}
	c.json(http.StatusOK, result)
}
