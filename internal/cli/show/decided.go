package show

import (
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/present/words"
)

// DecidedText says what was decided.
func DecidedText(p Page, r *nod.Request, a nod.Answer) string {
	title, name := p.OneLine(r.Title, max(20, p.Columns/2)), nod.OneLine(r.Agent.Name)
	switch {
	case a.Verdict == nod.VerdictDeny && a.Stop:
		return p.Say(words.Stopped, title, name)
	case a.Verdict == nod.VerdictDeny:
		return p.Say(words.Denied, title, name)
	case a.Verdict == nod.VerdictAnswer:
		return p.Say(words.Answered, replyText(r, a.Answers), name)
	case a.Lease != nil:
		span := p.Box(time.Duration(a.Lease.Minutes) * time.Minute)
		return p.Say(words.AllowedLease, title, name, span, a.Lease.Times, nod.OneLine(strings.Join(answer.LeaseRules(r, a.Lease), " ")))
	case a.Remember != "":
		o, _ := r.Option(nod.OptionAlways, string(a.Remember))
		return p.Say(words.AllowedRule, title, name, nod.OneLine(o.Label))
	case len(a.Input) > 0:
		return p.Say(words.AllowedOther, nod.OneLine(editedText(r, a.Input)), name)
	}
	return p.Say(words.Allowed, title, name)
}

// editedText is what runs instead: the main text, or the whole input.
func editedText(r *nod.Request, input json.RawMessage) string {
	changed := *r
	changed.Input = input
	if text := answer.MainText(&changed); text != "" {
		return text
	}
	return string(input)
}

func replyText(r *nod.Request, answers nod.Answers) string {
	var replies []string
	for _, q := range r.Questions {
		if reply, ok := answers[q.Key()]; ok {
			replies = append(replies, nod.OneLine(reply.Joined()))
		}
	}
	return strings.Join(replies, "; ")
}
