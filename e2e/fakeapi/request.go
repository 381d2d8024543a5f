package fakeapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Request is one call of POST /v1/messages. Its API key is not kept.
type Request struct {
	Session string // X-Claude-Code-Session-Id
	Agent   string // X-Claude-Code-Agent-Id, empty outside subagents
	Model   string
	Prompt  string // the scripted prompt whose turn this continues, empty if none
	Body    json.RawMessage

	stream   bool
	hasTools bool
	messages []message
}

// Result is what the model received about one of its tool calls.
type Result struct {
	Text    string
	IsError bool
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

type block struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	ToolUseID string  `json:"tool_use_id"`
	IsError   bool    `json:"is_error"`
	Content   content `json:"content"`
}

// content is a string or a list of blocks on the wire.
type content []block

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]block)(c))
}

func (c content) text() string {
	var parts []string
	for _, b := range c {
		if b.Type == "text" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func readRequest(r *http.Request) (Request, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, err
	}
	var body struct {
		Model    string            `json:"model"`
		Stream   bool              `json:"stream"`
		Tools    []json.RawMessage `json:"tools"`
		Messages []message         `json:"messages"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return Request{}, fmt.Errorf("read messages request: %w", err)
	}
	return Request{
		Session:  r.Header.Get("X-Claude-Code-Session-Id"),
		Agent:    r.Header.Get("X-Claude-Code-Agent-Id"),
		Model:    body.Model,
		Body:     raw,
		stream:   body.Stream,
		hasTools: len(body.Tools) > 0,
		messages: body.Messages,
	}, nil
}

// texts are the text blocks of a message.
func (m message) texts() []string {
	var texts []string
	for _, b := range m.Content {
		if b.Type == "text" {
			texts = append(texts, strings.TrimSpace(b.Text))
		}
	}
	return texts
}

// spoken separates the user's words from the reminders that the agent adds.
func (m message) spoken(text string) bool {
	return m.Role == "user" && !strings.HasPrefix(text, "<system-reminder>")
}

func (r Request) toolResults() map[string]Result {
	results := map[string]Result{}
	for _, m := range r.messages {
		for _, b := range m.Content {
			if b.Type == "tool_result" {
				results[b.ToolUseID] = Result{Text: b.Content.text(), IsError: b.IsError}
			}
		}
	}
	return results
}

// UserTexts lists everything the model received in the user's name, oldest first.
func (r Request) UserTexts() []string {
	var said []string
	for _, m := range r.messages {
		for _, text := range m.texts() {
			if m.spoken(text) {
				said = append(said, text)
			}
		}
	}
	return said
}

// Told reports whether the model received this text from any source: the user, a reminder, a notification.
func (r Request) Told(part string) bool {
	for _, m := range r.messages {
		if m.Role != "assistant" && strings.Contains(strings.Join(m.texts(), "\n"), part) {
			return true
		}
	}
	return false
}
