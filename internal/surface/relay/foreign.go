package relay

import (
	"nod"
	"nod/internal/present/words"
)

const (
	labelLength = 60
	// denyKey is the number of "No" where it is the only choice: the third, where
	// clients that know no choices have it. Their first one must not become a no.
	denyKey = 3
)

// foreign is the entry of a request that did not come over this wire.
func foreign(say words.Printer, r *nod.Request) *entry {
	name := nod.Fold(nod.OneLine(r.Agent.Name), nameLength)
	if host := r.Agent.Host; host != "" && host != name {
		name = nod.Fold(nod.OneLine(host), nameLength) + ":" + name
	}
	e := &entry{tool: r.Tool, hostname: &name, message: described(say, r), listed: true, answerable: true}
	if e.tool == "" {
		e.tool = string(r.Kind)
	}
	e.options = offered(say, r)
	if asksOne(r) {
		e.tool = question // clients take every answer for an allow
	}
	return e
}

// asksOne reports whether a request is one question that one key answers.
func asksOne(r *nod.Request) bool {
	return r.Kind == nod.KindQuestion && r.OneTap && len(r.Questions) == 1 && !r.Questions[0].Multi && len(r.Questions[0].Choices) > 0
}

// offered are the choices of a request that did not come over this wire.
func offered(say words.Printer, r *nod.Request) []option {
	refuse := nod.Answer{Verdict: nod.VerdictDeny}
	switch {
	case r.Kind == nod.KindApproval && r.OneTap:
		list := []option{{choice{1, say.Say(words.RelayYes)}, nod.Answer{Verdict: nod.VerdictAllow}}}
		for _, o := range r.Options {
			if o.Kind == nod.OptionAlways {
				text := say.Say(words.RelayAlways, nod.Fold(nod.OneLine(o.Label), labelLength))
				list = append(list, option{choice{len(list) + 1, text}, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)}})
			}
		}
		return append(list, option{choice{len(list) + 1, say.Say(words.RelayNo)}, refuse})
	case asksOne(r):
		q := r.Questions[0]
		var list []option
		for i, c := range q.Choices {
			picks := nod.Answers{q.Key(): {Picked: []string{c.Label}}}
			list = append(list, option{choice{i + 1, nod.OneLine(c.Label)}, nod.Answer{Verdict: nod.VerdictAnswer, Answers: picks}})
		}
		return list
	}
	return []option{{choice{denyKey, say.Say(words.RelayNo)}, refuse}}
}

// single reports whether one key can answer it other than with a no.
func (e *entry) single() bool {
	return e.own || len(e.options) > 1 || e.options[0].answer.Verdict != nod.VerdictDeny
}

// described is what to read before answering.
func described(say words.Printer, r *nod.Request) string {
	text := nod.Visible(r.Display)
	if text == "" {
		text = nod.OneLine(r.Title)
	}
	if r.Kind == nod.KindQuestion && len(r.Questions) > 0 {
		text = ""
		for i, q := range r.Questions {
			if i > 0 {
				text += "\n"
			}
			text += nod.Visible(q.Text)
		}
	}
	text = nod.Fold(text, mostBody/8)
	if r.Risk != nil {
		if reason := say.Reason(r.Risk.Reason); reason != "" {
			text += "\n⚠ " + nod.OneLine(reason)
		}
	}
	if r.Kind != nod.KindApproval && !asksOne(r) || r.Kind == nod.KindApproval && !r.OneTap {
		text += "\n" + say.Say(words.RelayOpen)
	}
	return text
}

// roomOf reads the room out of the id of an agent, as source wrote it.
func roomOf(id nod.AgentID) roomID {
	text := string(id)
	const before, after = len("relay-"), 1 + 12
	if len(text) < before+after {
		return owners
	}
	if tag := text[before : len(text)-after]; tag != owners.tag() {
		return roomID(tag)
	}
	return owners
}
