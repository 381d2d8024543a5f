package keyboard

import (
	"context"
	"encoding/json"
	"net/http"

	"nod"
	"nod/internal/present/words"
)

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
	b := &buttons{context: clip(context, 40), detail: clip(detail, longestAction), trusted: by.Can(nod.Answering), at: s.Now()}
	for i, k := range words.KeysFor(context) {
		b.labels[i], b.emojis[i] = s.Say.Say(k.Label), k.Emoji
	}
	s.set(b)
	return struct {
		Success bool          `json:"success"`
		Context string        `json:"context"`
		Buttons [count]string `json:"buttons"`
		Reason  string        `json:"reasoning"`
	}{true, clip(context, 40), b.labels, "the usual keys for this"}
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

// tool is POST /mcp/tool, by which the original's proxy sets keys. It is /update with
// other words: what a key may do depends on who set it, in either case.
func (c *call) tool() {
	var in struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(c.body, &in); err != nil {
		c.fail(http.StatusInternalServerError, "Invalid JSON")
		return
	}
	result, err := c.Tool(c.r.Context(), c.who, in.Name, in.Arguments)
	if err != nil {
		c.fail(http.StatusInternalServerError, nod.MessageOf(err))
		return
	}
	c.json(http.StatusOK, result)
}
