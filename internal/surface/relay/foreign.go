package relay

import (
	"nod"
	"nod/internal/present/words"
)

const (
	labelLength = 60
	// denyKey is what "No" is where it is alone: the third choice, as clients
	// that know no choices have it. Their first one must not become a no.
	denyKey = 3
)

// foreign is a request that did not come over this wire, in its words.
func (s *Surface) foreign(r *nod.Request) *entry {
	name := nod.Fold(nod.OneLine(r.Agent.Name), nameLength)
	if host := r.Agent.Host; host != "" && host != name {
		name = nod.Fold(nod.OneLine(host), nameLength) + ":" + name
	}
	e := &entry{tool: r.Tool, hostname: &name, listed: true, answerable: true}
	if e.tool == "" {
		e.tool = string(r.Kind)
	}
	e.options = s.offered(r)
	if asksOne(r) {
		e.tool = question // every answer of it is an allow
	}
	return e
}

// asksOne reports whether one key answers the whole request as a question.
func asksOne(r *nod.Request) bool {
	return r.Kind == nod.KindQuestion && r.OneTap && len(r.Questions) == 1 && !r.Questions[0].Multi && len(r.Questions[0].Choices) > 0
}

// offered are the choices of a request of nod's own.
func (s *Surface) offered(r *nod.Request) []option {
	refuse := nod.Answer{Verdict: nod.VerdictDeny}
	switch {
	case r.Kind == nod.KindApproval && r.OneTap:
		list := []option{{choice{1, s.Say.Say(words.RelayYes)}, nod.Answer{Verdict: nod.VerdictAllow}}}
		for _, o := range r.Options {
			if o.Kind == nod.OptionAlways {
				text := s.Say.Say(words.RelayAlways, nod.Fold(nod.OneLine(o.Label), labelLength))
				list = append(list, option{choice{len(list) + 1, text}, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)}})
			}
		}
		return append(list, option{choice{len(list) + 1, s.Say.Say(words.RelayNo)}, refuse})
	case asksOne(r):
		q := r.Questions[0]
		var list []option
		for i, c := range q.Choices {
			picks := nod.Answers{q.Key(): {Picked: []string{c.Label}}}
			list = append(list, option{choice{i + 1, nod.OneLine(c.Label)}, nod.Answer{Verdict: nod.VerdictAnswer, Answers: picks}})
		}
		return list
	}
	return []option{{choice{denyKey, s.Say.Say(words.RelayNo)}, refuse}}
}

// single reports whether one key can answer it with more than a no.
func (e *entry) single() bool {
	return e.own || len(e.options) > 1 || e.options[0].answer.Verdict != nod.VerdictDeny
}

// described is what to read before answering.
func (s *Surface) described(r *nod.Request) string {
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
	if r.Risk != nil && r.Risk.Reason != "" {
		text += "\n⚠ " + nod.OneLine(r.Risk.Reason)
	}
	if r.Kind != nod.KindApproval && !asksOne(r) || r.Kind == nod.KindApproval && !r.OneTap {
		text += "\n" + s.Say.Say(words.RelayOpen)
	}
	return text
}

// adopt makes an entry of a request that the log tells of. The lock is held.
func (s *Surface) adopt(r *nod.Request) *entry {
	if e, ok := s.coming[r.ID]; ok {
		return e
	}
	if r.Agent.Kind != kind {
		e := s.foreign(r)
		e.id = s.publicID(r.ID)
		return e
	}
	e := &entry{own: true, id: string(r.ID), tool: r.Tool, room: roomOf(r.Agent.ID), answerable: r.OneTap, options: recovered(r)}
	if e.options == nil {
		e.options = permissions(unlisted())
	}
	e.listed = e.options[0].Text != unlisted()[0].Text
	if r.Agent.Name != nobody {
		name := r.Agent.Name
		e.hostname = &name
	}
	return e
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

// publicID is the short id of a request of nod's own: always the same one, unless
// two requests would share it.
func (s *Surface) publicID(id nod.RequestID) string {
	for salt := string(id); ; salt += "'" {
		public := short("request\x00"+salt, 8)
		if e, taken := s.entries[public]; !taken || e.last.ID == id {
			return public
		}
	}
}
