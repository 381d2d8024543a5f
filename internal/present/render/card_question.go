package render

import (
	"encoding/json"

	"nod"
)

// questionParts are the words around a question, and the previews of its
// choices; the questions themselves are for the client that draws the buttons.
func questionParts(r *nod.Request) []Part {
	parts := []Part{}
	if r.Display != "" {
		parts = append(parts, Part{KindMarkdown, "", Markdown(r.Display)})
	}
	for _, q := range r.Questions {
		for _, c := range q.Choices {
			if c.Preview != "" {
				parts = append(parts, Part{KindText, oneLine(c.Label), Code("", c.Preview)})
			}
		}
	}
	return parts
}

// planParts are a plan and the rest of its input.
func planParts(r *nod.Request) ([]Part, bool) {
	in := input{}
	plan := r.Display
	if json.Unmarshal(r.Input, &in.fields) == nil {
		if own, ok := in.text("plan"); ok {
			plan = own
		}
	}
	if plan == "" {
		return nil, false
	}
	return append([]Part{{KindMarkdown, "", Markdown(plan)}}, in.rest()...), true
}
