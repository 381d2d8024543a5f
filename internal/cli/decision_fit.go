package cli

import (
	"strconv"
	"strings"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/present/words"
)

// chosenRule is the rule that --always means: the first, a number or an id.
func chosenRule(c *console.Console, r *nod.Request, wanted, id string) (nod.Remember, error) {
	if wanted == "" {
		return "", nil
	}
	rules := answer.Options(r, nod.OptionAlways)
	if len(rules) == 0 {
		return "", console.Fail(console.ExitFailed, c.Say(words.NoRuleOffered, id))
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(rules) {
		return nod.Remember(rules[n-1].ID), nil
	}
	if o, ok := r.Option(nod.OptionAlways, wanted); ok {
		return nod.Remember(o.ID), nil
	}
	return "", console.Fail(console.ExitFailed, c.Say(words.NoSuchRule, wanted)+"\n"+optionList(c, rules, true))
}

// checkAllow explains what the hub would just refuse.
func checkAllow(c *console.Console, r *nod.Request, a nod.Answer, id string) error {
	switch {
	case answer.IsQuestion(r):
		return questionError(c, words.QuestionNotYesNo, r, id)
	case a.Lease != nil && len(answer.Options(r, nod.OptionLease)) == 0:
		return console.Fail(console.ExitFailed, c.Say(words.NoLeaseOffered, id))
	case len(a.Input) > 0 && !r.CanEdit:
		return console.Fail(console.ExitFailed, c.Say(words.NotEditable))
	case a.Mode != "" && r.Kind == nod.KindPlan:
		if _, ok := r.Option(nod.OptionMode, a.Mode); !ok {
			return console.Fail(console.ExitFailed, c.Say(words.NoSuchMode, a.Mode)+"\n"+optionList(c, answer.Options(r, nod.OptionMode), false))
		}
	}
	return nil
}

func optionList(c *console.Console, options []nod.Option, numbered bool) string {
	p := c.Page()
	return strings.Join(show.OptionLines(p, options, func(i int, o nod.Option) string {
		if numbered {
			return strconv.Itoa(i + 1)
		}
		return nod.OneLine(o.ID)
	}), "\n")
}

// typedReplies assigns the arguments to the questions.
func typedReplies(c *console.Console, r *nod.Request, id string, typed, notes []string) (nod.Answer, error) {
	if !answer.IsQuestion(r) {
		return nod.Answer{}, console.Fail(console.ExitFailed, c.Say(words.NotAQuestion, id))
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

// questionError shows the questions and what to type.
func questionError(c *console.Console, m words.Message, r *nod.Request, id string) error {
	p := c.Page()
	lines := append([]string{c.Say(m)}, show.QuestionLines(p, r)...)
	return console.Fail(console.ExitFailed, strings.Join(append(lines, show.NextCommands(p, r, id)...), "\n"))
}
