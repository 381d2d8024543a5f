package nod

import (
	"slices"
	"strconv"
	"strings"
)

// Question is one question of a request, or one field of a form.
type Question struct {
	ID       string   `json:"id,omitempty"` // name of a form field; questions are identified by their text
	Text     string   `json:"question"`
	Header   string   `json:"header,omitempty"`
	Choices  []Choice `json:"options,omitempty"`
	Multi    bool     `json:"multi_select,omitempty"`
	FreeText bool     `json:"free_text,omitempty"` // a free-text answer is accepted too
	Type     string   `json:"type,omitempty"`      // of a form field: string, number, integer, boolean
	Optional bool     `json:"optional,omitempty"`
}

// Choice is one of the answers offered.
type Choice struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Preview     string `json:"preview,omitempty"`
}

// Key is the reply's key in Answers.
func (q Question) Key() string {
	if q.ID != "" {
		return q.ID
	}
	return q.Text
}

// Fit normalizes a reply: known labels are picked, numbers count the choices from 1, everything else is free text
// where that is accepted.
func (q Question) Fit(r Reply) (Reply, error) {
	words := r.Picked
	if len(words) == 0 && r.Text != "" {
		words = q.split(r.Text)
	}
	fit := Reply{Notes: r.Notes}
	for _, w := range words {
		if label, ok := q.label(w); ok {
			if !slices.Contains(fit.Picked, label) {
				fit.Picked = append(fit.Picked, label)
			}
			continue
		}
		if len(r.Picked) > 0 || !q.FreeText {
			return Reply{}, Errorf(Unprocessable, "%q is not one of the choices for %q: %s", w, q.Text, q.choiceList())
		}
		return Reply{Text: r.Text, Notes: r.Notes}, q.checkType(r.Text)
	}
	if len(r.Picked) > 0 {
		fit.Text = r.Text
	}
	if len(fit.Picked) > 1 && !q.Multi {
		return Reply{}, Errorf(Unprocessable, "%q takes one choice, not %d", q.Text, len(fit.Picked))
	}
	if len(fit.Picked) == 0 && fit.Text == "" && !q.Optional {
		return Reply{}, Errorf(Unprocessable, "%q has no answer yet: %s", q.Text, q.choiceList())
	}
	return fit, nil
}

// split splits "Go, Rust" or "1,3", but only where several choices are allowed and every part is one: otherwise a
// comma is just a comma.
func (q Question) split(text string) []string {
	if _, whole := q.label(text); whole || !q.Multi {
		return []string{text}
	}
	var parts []string
	for p := range strings.SplitSeq(text, ",") {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if _, ok := q.label(p); !ok {
			return []string{text}
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return []string{text}
	}
	return parts
}

// label finds the choice for a word: exact, then case-insensitive, then by number.
func (q Question) label(word string) (string, bool) {
	for _, c := range q.Choices {
		if c.Label == word {
			return c.Label, true
		}
	}
	for _, c := range q.Choices {
		if strings.EqualFold(c.Label, strings.TrimSpace(word)) {
			return c.Label, true
		}
	}
	if n, err := strconv.Atoi(strings.TrimSpace(word)); err == nil && n >= 1 && n <= len(q.Choices) {
		return q.Choices[n-1].Label, true
	}
	return "", false
}

func (q Question) choiceList() string {
	if len(q.Choices) == 0 {
		return "any text"
	}
	labels := make([]string, len(q.Choices))
	for i, c := range q.Choices {
		labels[i] = strconv.Itoa(i+1) + " " + c.Label
	}
	return strings.Join(labels, " · ")
}

func (q Question) checkType(text string) error {
	var err error
	switch q.Type {
	case "number":
		_, err = strconv.ParseFloat(text, 64)
	case "integer":
		_, err = strconv.ParseInt(text, 10, 64)
	case "boolean":
		_, err = strconv.ParseBool(text)
	}
	if err != nil {
		return Errorf(Unprocessable, "%q wants a %s, not %q", q.Text, q.Type, text)
	}
	return nil
}

// InOrder pairs words with questions in order, as people type them in a terminal.
func InOrder(qs []Question, words []string) (Answers, error) {
	if len(qs) == 1 && len(words) > 1 {
		// One question and several words: several choices, or a sentence without quotes.
		if qs[0].Multi {
			if _, err := qs[0].Fit(Reply{Picked: words}); err == nil {
				return Answers{qs[0].Key(): {Picked: words}}, nil
			}
		}
		words = []string{strings.Join(words, " ")}
	}
	if len(words) != len(qs) {
		return nil, Errorf(Unprocessable, "there are %d questions and %d answers: give one for each, in order, in quotes where needed", len(qs), len(words))
	}
	answers := make(Answers, len(qs))
	for i, q := range qs {
		answers[q.Key()] = Reply{Text: words[i]}
	}
	return answers, nil
}
