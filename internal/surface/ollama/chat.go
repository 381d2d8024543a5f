package ollama

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// asked is the body of /api/chat and of /api/generate.
type asked struct {
	Model     string          `json:"model"`
	Messages  []message       `json:"messages"`
	Prompt    string          `json:"prompt"`
	System    string          `json:"system"`
	Images    []any           `json:"images"`
	Stream    *bool           `json:"stream"` // unless it says false
	Format    json.RawMessage `json:"format"`
	KeepAlive json.RawMessage `json:"keep_alive"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Images  []any  `json:"images,omitempty"`
}

// chunk is one line of an answer, or the whole.
type chunk struct {
	Model    string    `json:"model"`
	Created  time.Time `json:"created_at"`
	Message  *message  `json:"message,omitempty"`
	Response *string   `json:"response,omitempty"`
	Done     bool      `json:"done"`
	Reason   string    `json:"done_reason,omitempty"`
	*figures
}

// figures are times in nanoseconds. Tokens are estimated from the length of the text: an
// assistant reads and writes more than that.
type figures struct {
	Total        int64 `json:"total_duration"`
	Load         int64 `json:"load_duration"`
	PromptTokens int   `json:"prompt_eval_count"`
	PromptTime   int64 `json:"prompt_eval_duration"`
	AnswerTokens int   `json:"eval_count"`
	AnswerTime   int64 `json:"eval_duration"`
}

func tokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

func (c *call) chat() error {
	q, a, err := c.asked()
	if err != nil {
		return err
	}
	shape := func(text string) chunk { return chunk{Message: &message{Role: "assistant", Content: text}} }
	if len(q.Messages) == 0 {
		return c.loaded(q, shape)
	}
	chat, err := q.conversation()
	if err != nil {
		return err
	}
	chat.Assistant = a
	return c.answer(q, chat, shape)
}

// generate answers one question without a history.
func (c *call) generate() error {
	q, a, err := c.asked()
	if err != nil {
		return err
	}
	shape := func(text string) chunk { return chunk{Response: &text} }
	if strings.TrimSpace(q.Prompt) == "" {
		return c.loaded(q, shape)
	}
	if len(q.Images) > 0 {
		return pictures()
	}
	return c.answer(q, talk.Chat{Assistant: a, System: q.System, Text: q.Prompt, Hint: form(q.Format), Fresh: true}, shape)
}

func (c *call) asked() (asked, nod.Assistant, error) {
	var q asked
	if err := c.read(&q); err != nil {
		return q, nod.Assistant{}, err
	}
	a, err := c.assistant(q.Model)
	return q, a, err
}

func pictures() error {
	return nod.Errorf(nod.Invalid, "this assistant cannot be shown pictures here: describe it in words, or send the file in nod's own chat")
}

// loaded answers an empty question, by which programs load or unload a model. nod does
// both by itself.
func (c *call) loaded(q asked, shape func(string) chunk) error {
	line := shape("")
	line.Model, line.Created, line.Done, line.Reason = q.Model, c.Now().UTC(), true, "load"
	if bytes.Equal(q.KeepAlive, []byte("0")) || bytes.Equal(q.KeepAlive, []byte(`"0"`)) {
		line.Reason = "unload"
	}
	return httpd.JSON(c.w, http.StatusOK, line)
}

// conversation is the last question and what came before it. Tools are left out: an
// assistant has its own.
func (q *asked) conversation() (talk.Chat, error) {
	chat := talk.Chat{Hint: form(q.Format)}
	last := -1
	for i, m := range q.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	if last < 0 {
		return chat, nod.Errorf(nod.Invalid, "there is no message of the role user, so nothing is asked")
	}
	if len(q.Messages[last].Images) > 0 {
		return chat, pictures()
	}
	var system []string
	for i, m := range q.Messages {
		switch {
		case m.Role == "system":
			system = append(system, m.Content)
		case m.Role == "tool" || i > last:
		case m.Role != "user" && m.Role != "assistant":
			return chat, nod.Errorf(nod.Invalid, "unknown role %q: system, user, assistant or tool", nod.Fold(nod.OneLine(m.Role), 40))
		case i < last:
			chat.Before = append(chat.Before, talk.Line{Person: m.Role == "user", Text: m.Content})
		}
	}
	chat.System, chat.Text = strings.Join(system, "\n\n"), q.Messages[last].Content
	return chat, nil
}

// form asks for the answer in the form that a program wants.
func form(format json.RawMessage) string {
	switch format = bytes.TrimSpace(format); {
	case len(format) == 0 || string(format) == "null" || string(format) == `""`:
		return ""
	case format[0] == '{':
		return "Answer with one JSON value and nothing around it. It must fit this JSON schema: " + string(format)
	}
	return "Answer with one JSON object and nothing around it."
}

// answer asks, and sends the answer as it is written or as a whole.
func (c *call) answer(q asked, chat talk.Chat, shape func(string) chunk) error {
	chat.Via, chat.By = via, c.by
	var first time.Time
	piece := func(text string) {
		if first.IsZero() {
			first = c.Now()
		}
		if q.streams() {
			line := shape(text)
			line.Model, line.Created = q.Model, c.Now().UTC()
			c.lines.send(line)
		}
	}
	reply, err := c.Chats.Answer(c.r.Context(), c.desk, chat, piece)
	if err != nil {
		return err
	}
	if reply.Trouble != "" {
		return &troubled{reply.Trouble, reply.Text}
	}
	last := reply.Text
	if q.streams() {
		last = ""
	}
	line := shape(last)
	line.Model, line.Created, line.Done, line.Reason = q.Model, c.Now().UTC(), true, "stop"
	line.figures = c.figures(chat, reply.Text, first)
	if !q.streams() {
		return httpd.JSON(c.w, http.StatusOK, line)
	}
	c.lines.send(line)
	c.lines.end()
	return nil
}

func (q *asked) streams() bool { return q.Stream == nil || *q.Stream }

func (c *call) figures(chat talk.Chat, answer string, first time.Time) *figures {
	now := c.Now()
	if first.IsZero() {
		first = now
	}
	f := &figures{
		Total: int64(now.Sub(c.began)), PromptTime: int64(first.Sub(c.began)), AnswerTime: int64(now.Sub(first)),
		PromptTokens: tokens(chat.System) + tokens(chat.Text), AnswerTokens: tokens(answer),
	}
	for _, l := range chat.Before {
		f.PromptTokens += tokens(l.Text)
	}
	return f
}
