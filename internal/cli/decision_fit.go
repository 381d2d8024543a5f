package cli

import (
	"encoding/json"
	"strconv"
	"strings"

	"nod"
	"nod/internal/present/words"
)

// editOf tells a whole new input from a new main text.
func editOf(text string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil { // a string always encodes
		return nil
	}
	return quoted
}

// chosenRule finds what --always means: the first, a number as it was shown, or an id.
func chosenRule(c *console, r *nod.Request, wanted, id string) (nod.Remember, error) {
	if wanted == "" {
		return "", nil
	}
	rules := optionsOf(r, nod.OptionAlways)
	if len(rules) == 0 {
		return "", fail(exitFailed, c.Say(words.NoRuleOffered, id))
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(rules) {
		return nod.Remember(rules[n-1].ID), nil
	}
	if o, ok := r.Option(nod.OptionAlways, wanted); ok {
		return nod.Remember(o.ID), nil
	}
	return "", fail(exitFailed, c.Say(words.NoSuchRule, wanted)+"\n"+optionList(c, rules, true))
}

// checkAllow explains what the hub would only refuse.
func checkAllow(c *console, r *nod.Request, a nod.Answer, id string) error {
	switch {
	case r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation:
		return questionError(c, words.QuestionNotYesNo, r, id)
	case a.Lease != nil && len(optionsOf(r, nod.OptionLease)) == 0:
		return fail(exitFailed, c.Say(words.NoLeaseOffered, id))
	case len(a.Input) > 0 && !r.CanEdit:
		return fail(exitFailed, c.Say(words.NotEditable))
	case a.Mode != "" && r.Kind == nod.KindPlan:
		if _, ok := r.Option(nod.OptionMode, a.Mode); !ok {
			return fail(exitFailed, c.Say(words.NoSuchMode, a.Mode)+"\n"+optionList(c, optionsOf(r, nod.OptionMode), false))
		}
	}
	return nil
}

func optionList(c *console, options []nod.Option, numbered bool) string {
	p := c.page()
	return strings.Join(optionLines(p, options, func(i int, o nod.Option) string {
		if numbered {
			return strconv.Itoa(i + 1)
		}
		return nod.OneLine(o.ID)
	}), "\n")
}

// typedReplies pairs what was typed with the questions.
func typedReplies(c *console, r *nod.Request, id string, typed, notes []string) (nod.Answer, error) {
	if r.Kind != nod.KindQuestion && r.Kind != nod.KindElicitation {
		return nod.Answer{}, fail(exitFailed, c.Say(words.NotAQuestion, id))
	}
	if len(typed) == 0 && len(r.Questions) > 0 {
		return nod.Answer{}, questionError(c, words.AnswersNeeded, r, id)
	}
	answers, err := nod.InOrder(r.Questions, typed)
	if err != nil {
		return nod.Answer{}, questionError(c, words.AnswersNeeded, r, id)
	}
	for i, note := range notes {
		if i >= len(r.Questions) {
			break
		}
		reply := answers[r.Questions[i].Key()]
		reply.Notes = note
		answers[r.Questions[i].Key()] = reply
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}

// questionError shows the questions and what to type, because that is what is needed.
func questionError(c *console, m words.Message, r *nod.Request, id string) error {
	p := c.page()
	lines := append([]string{c.Say(m)}, questionLines(p, r)...)
	return fail(exitFailed, strings.Join(append(lines, nextCommands(p, r, id)...), "\n"))
}
