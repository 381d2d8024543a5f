package asking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"nod"
	"nod/internal/agent/claude/wire"
)

// schema is the flat JSON Schema with which an MCP server asks for a form.
type schema struct {
	Properties map[string]field `json:"properties"`
	Required   []string         `json:"required"`
}

type field struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []any    `json:"enum"`
	EnumNames   []string `json:"enumNames"`
	OneOf       []struct {
		Const string `json:"const"`
		Title string `json:"title"`
	} `json:"oneOf"`
	Items *field `json:"items"`
}

func askForm(r nod.Request, p wire.Payload) (nod.Request, error) {
	r.Kind, r.Tool, r.Link = nod.KindElicitation, p.Server, p.URL
	r.Title, r.Display = nod.Fold(nod.OneLine(p.Message), TitleLength), p.Message
	r.Input = p.Schema
	if len(p.Schema) == 0 {
		r.Input = json.RawMessage("{}")
	}
	// Claude Code asks its hooks first and the terminal afterwards.
	r.Dialog = nod.DialogAfter
	var s schema
	if err := json.Unmarshal(r.Input, &s); err != nil {
		return r, nod.Errorf(nod.Unprocessable, "the form's schema does not parse: only the terminal can answer it").Because(err)
	}
	for _, name := range propertyOrder(r.Input, s) {
		r.Questions = append(r.Questions, s.question(name))
	}
	return r, nil
}

// propertyOrder is the order in which the server wrote the fields. A map loses it, so
// the keys are read once more as tokens.
func propertyOrder(raw json.RawMessage, s schema) []string {
	var outer struct {
		Properties json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(raw, &outer)
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	at := func(name string) int { return keyIndex(outer.Properties, name) }
	slices.SortFunc(names, func(a, b string) int { return at(a) - at(b) })
	return names
}

// keyIndex is where a top-level key of an object begins.
func keyIndex(object json.RawMessage, key string) int {
	d := json.NewDecoder(bytes.NewReader(object))
	depth := 0
	isKey := false
	for {
		t, err := d.Token()
		if err != nil {
			return int(d.InputOffset())
		}
		switch v := t.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			isKey = depth == 1
		default:
			if depth == 1 && isKey {
				if v == key {
					return int(d.InputOffset())
				}
				isKey = false
			} else if depth == 1 {
				isKey = true
			}
		}
	}
}

func (s schema) question(name string) nod.Question {
	f := s.Properties[name]
	q := nod.Question{ID: name, Text: name, Header: f.Title, Type: f.Type, Optional: !slices.Contains(s.Required, name)}
	if f.Title != "" {
		q.Text = f.Title
	}
	if f.Description != "" {
		q.Text += ": " + f.Description
	}
	source := f
	if f.Type == "array" && f.Items != nil {
		q.Multi, source = true, *f.Items
	}
	for i, value := range source.Enum {
		c := nod.Choice{Label: fmt.Sprint(value)}
		if i < len(source.EnumNames) {
			c.Description = source.EnumNames[i]
		}
		q.Choices = append(q.Choices, c)
	}
	for _, o := range source.OneOf {
		q.Choices = append(q.Choices, nod.Choice{Label: o.Const, Description: o.Title})
	}
	if f.Type == "boolean" {
		q.Choices = []nod.Choice{{Label: "true"}, {Label: "false"}}
	}
	q.FreeText = len(q.Choices) == 0
	return q
}

// content is the completed form, with values of the types that the schema wants.
func content(questions []nod.Question, answers nod.Answers) (json.RawMessage, error) {
	filled := map[string]any{}
	for _, q := range questions {
		reply, ok := answers[q.Key()]
		if !ok {
			continue
		}
		text := reply.Joined()
		var err error
		switch q.Type {
		case "number":
			filled[q.ID], err = strconv.ParseFloat(text, 64)
		case "integer":
			filled[q.ID], err = strconv.ParseInt(text, 10, 64)
		case "boolean":
			filled[q.ID], err = strconv.ParseBool(text)
		case "array":
			filled[q.ID] = reply.Picked
		default:
			filled[q.ID] = text
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", q.ID, err)
		}
	}
	return json.Marshal(filled)
}
