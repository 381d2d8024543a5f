package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/talk"
)

// asked is the body of /v1/chat/completions.
type asked struct {
	Model    string          `json:"model"`
	Messages []message       `json:"messages"`
	Stream   bool            `json:"stream"`
	Options  *streamOptions  `json:"stream_options"`
	N        int             `json:"n"`
	Format   *responseFormat `json:"response_format"`
}

type streamOptions struct {
	Usage bool `json:"include_usage"`
}

type responseFormat struct {
	Type   string `json:"type"` // text, json_object, json_schema
	Schema *struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content is a text, or a list of parts, of which some may not be text.
type content struct {
	text  string
	other string // the type of a part that is not text
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '[' {
		return json.Unmarshal(b, &c.text) // null leaves it empty
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text":
			texts = append(texts, p.Text)
		case "refusal":
			texts = append(texts, p.Refusal)
		default:
			c.other = p.Type
		}
	}
	c.text = strings.Join(texts, "\n")
	return nil
}

// conversation is the last question and what came before it. Tools are left out: an
// assistant has its own.
func (q *asked) conversation() (talk.Chat, error) {
	chat := talk.Chat{Hint: q.Format.hint()}
	last := -1
	for i, m := range q.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	switch {
	case q.N > 1:
		return chat, &misfit{nod.Errorf(nod.Invalid, "an assistant gives one answer: leave n out, or ask for 1"), "n", ""}
	case last < 0:
		return chat, &misfit{nod.Errorf(nod.Invalid, "there is no message of the role user, so nothing is asked"), "messages", ""}
	case q.Messages[last].Content.other != "":
		err := nod.Errorf(nod.Invalid, "this assistant takes text alone here, and no %s: describe it in words, or send the file in nod's own chat", nod.Fold(nod.OneLine(q.Messages[last].Content.other), 40))
		return chat, &misfit{err, "messages", "unsupported_content"}
	}
	var system []string
	for i, m := range q.Messages {
		switch {
		case m.Role == "system" || m.Role == "developer":
			system = append(system, m.Content.text)
		case m.Role == "tool" || m.Role == "function" || i > last:
		case m.Role != "user" && m.Role != "assistant":
			err := nod.Errorf(nod.Invalid, "unknown role %q: system, developer, user, assistant or tool", nod.Fold(nod.OneLine(m.Role), 40))
			return chat, &misfit{err, "messages", ""}
		case i < last:
			chat.Before = append(chat.Before, talk.Line{Person: m.Role == "user", Text: m.Content.text})
		}
	}
	chat.System, chat.Text = strings.Join(system, "\n\n"), q.Messages[last].Content.text
	return chat, nil
}

// hint asks for the answer in the form that a program wants.
func (f *responseFormat) hint() string {
	switch {
	case f == nil || f.Type == "" || f.Type == "text":
		return ""
	case f.Schema != nil && len(f.Schema.Schema) > 0:
		return "Answer with one JSON value and nothing around it. It must fit this JSON schema: " + string(f.Schema.Schema)
	}
	return "Answer with one JSON object and nothing around it."
}
