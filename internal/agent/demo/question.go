package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// questions asks a person, and quotes the answers.
func questions(list ...nod.Question) step {
	return func(ctx context.Context, t *activity) error {
		return t.inquire(ctx, questionRequest(list), patience{})
	}
}

// choice is a question with choices, which also takes free text.
func choice(header, text string, choices ...nod.Choice) nod.Question {
	return nod.Question{Header: header, Text: text, Choices: choices, FreeText: true}
}

func several(q nod.Question) nod.Question {
	q.Multi = true
	return q
}

// questionInput is the input in Claude Code's own shape.
type questionInput struct {
	Questions []questionPart `json:"questions"`
}

type questionPart struct {
	Question string       `json:"question"`
	Header   string       `json:"header"`
	Multi    bool         `json:"multiSelect"`
	Options  []nod.Choice `json:"options"`
}

func questionRequest(list []nod.Question) nod.Request {
	var in questionInput
	for _, q := range list {
		in.Questions = append(in.Questions, questionPart{q.Text, q.Header, q.Multi, append([]nod.Choice{}, q.Choices...)})
	}
	line := list[0].Text
	if len(list) > 1 {
		line += fmt.Sprintf(" (+%d)", len(list)-1)
	}
	return nod.Request{
		Kind: nod.KindQuestion, Tool: "AskUserQuestion", Input: encode(in), Questions: list,
		Title: nod.Fold(nod.OneLine(line), titleLength), OneTap: len(list) == 1 && !list[0].Multi,
	}
}

// form asks as an MCP server does: for values of certain types.
func form(server, message string, p patience, fields ...nod.Question) step {
	return func(ctx context.Context, t *activity) error {
		return t.inquire(ctx, formRequest(server, message, fields), p)
	}
}

func formRequest(server, message string, fields []nod.Question) nod.Request {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		p := map[string]any{"type": f.Type, "title": f.Header}
		if len(f.Choices) > 0 && f.Type == "string" {
			var labels []string
			for _, c := range f.Choices {
				labels = append(labels, c.Label)
			}
			p["enum"] = labels
		}
		properties[f.ID] = p
		if !f.Optional {
			required = append(required, f.ID)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "required": required}
	return nod.Request{
		Kind: nod.KindElicitation, Tool: server, Title: message, Display: message,
		Input: encode(schema), Questions: fields,
	}
}

// field is one field of a form.
func field(id, kind, title string, choices ...nod.Choice) nod.Question {
	if kind == "boolean" {
		choices = []nod.Choice{{Label: "true"}, {Label: "false"}}
	}
	return nod.Question{ID: id, Type: kind, Header: title, Text: title, Choices: choices, FreeText: len(choices) == 0}
}

func optional(q nod.Question) nod.Question {
	q.Optional = true
	return q
}

// inquire asks, and quotes what was answered.
func (t *activity) inquire(ctx context.Context, r nod.Request, p patience) error {
	settled, err := t.ask(ctx, r, p)
	switch {
	case err != nil:
		return err
	case settled.Decision == nil && settled.Status == nod.Expired:
		t.report(t.life, t.reply(tooLate))
		return ctx.Err() // the task goes on without the answer
	case settled.Decision == nil:
		return t.undecided(ctx, settled, call{})
	case settled.Decision.Verdict == nod.VerdictDeny:
		return t.denied(settled)
	}
	_ = t.rest(ctx, 200*time.Millisecond)
	t.report(t.life, delivered(settled.ID))
	_ = t.rest(ctx, 800*time.Millisecond)
	line, list := answersOf(settled)
	facts := []hub.Fact{applied(settled.ID, Kind), t.turn(nod.TurnTool, r.Tool, line), t.reply(answered, list)}
	t.report(t.life, facts...)
	return ctx.Err()
}

// answersOf is the answers on one line, and as a list.
func answersOf(r *nod.Request) (line, list string) {
	var words, items []string
	for _, q := range r.Questions {
		reply, ok := r.Decision.Answers[q.Key()]
		if !ok {
			continue
		}
		text := nod.OneLine(reply.Joined())
		if reply.Notes != "" {
			text += " (" + nod.OneLine(reply.Notes) + ")"
		}
		words = append(words, q.Text+" → "+text)
		items = append(items, "- "+q.Text+" **"+text+"**")
	}
	return strings.Join(words, " · "), strings.Join(items, "\n")
}
