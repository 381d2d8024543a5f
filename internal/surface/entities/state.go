package entities

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/present/advise"
)

// What Home Assistant takes: a state of 255 characters, and attributes of 16 KiB in
// all before it stops recording them.
const (
	mostState = 255
	mostText  = 4000
	mostName  = 60
)

// view is an agent as it is now, and what can be done with it.
type view struct {
	agent   *nod.Agent
	pending []*nod.Request
	asked   *nod.Request // what the buttons are about: what waits longest
	allow   bool         // a press is enough
	choices map[string]nod.Answer
	labels  []string // of choices, in order
	answer  string
}

// look is nil when nothing is known of the agent.
func (s *Surface) look(id nod.AgentID, answer string) *view {
	v := &view{answer: answer}
	s.Hub.Look(func(st *nod.State) {
		v.agent = st.Agents[id]
		v.pending = st.PendingOf(id)
	})
	if v.agent == nil {
		return nil
	}
	if len(v.pending) > 0 {
		v.asked = v.pending[0]
		s.offer(v)
	}
	return v
}

// offer finds out which buttons work. Nobody allows what they were not shown, and
// what is dangerous or takes a passkey is for a screen of nod's own.
func (s *Surface) offer(v *view) {
	if s.Content == contentNone {
		return
	}
	v.choices = map[string]nod.Answer{}
	for _, b := range advise.All(advise.Situation{Agent: v.agent, Pending: v.pending, Proof: s.Hub.ProofLevels(), Say: s.Say}) {
		if b.Do.Kind != advise.Decide || b.Hold || b.Do.Request != v.asked.ID {
			continue
		}
		a := *b.Do.Answer
		switch {
		case a.Verdict == nod.VerdictAllow && a.Remember == "" && a.Lease == nil:
			v.allow = s.whole(v.asked)
		case a.Verdict == nod.VerdictAnswer && strings.HasPrefix(b.ID, "choice-"):
			label := cut(b.Detail, mostState)
			if _, twice := v.choices[label]; twice || label == "" {
				label = cut(strings.TrimPrefix(b.ID, "choice-")+". "+b.Detail, mostState)
			}
			v.choices[label] = a
			v.labels = append(v.labels, label)
		}
	}
}

// whole reports whether all that is to be read before answering is published.
func (s *Surface) whole(r *nod.Request) bool {
	shown, most := nod.OneLine(r.Title), mostState
	if s.Content == contentFull && r.Display != "" {
		shown, most = nod.Visible(r.Display), mostText
	}
	return utf8.RuneCountInString(shown) <= most && !strings.Contains(shown, "⟨… +") // as nod.Fold marks what it left out
}

// state is what entities read their states and attributes from.
func (s *Surface) state(v *view) []byte {
	m := map[string]any{
		"state": v.agent.State, "pending": len(v.pending), "answer": s.line(v.answer), "request": nil, "id": "",
		"allow": v.allow, "deny": v.asked != nil, "choose": len(v.labels) > 0, "choice": nil,
		"stop": v.agent.State == nod.AgentWorking || v.agent.State == nod.AgentWaiting,
		"say":  v.agent.Alive() && v.agent.Able(nod.CanSay),
	}
	m["about"] = s.about(v.agent)
	m["answered"] = map[string]any{"text": s.text(v.answer)}
	asked := map[string]any{}
	if r := v.asked; r != nil {
		asked = s.attributes(r)
		m["id"], m["request"] = r.ID, s.title(r)
		if len(v.labels) > 0 {
			asked["choices"] = v.labels
		}
	}
	m["asked"] = asked
	return marshal(m)
}

// about is what else is known of an agent.
func (s *Surface) about(a *nod.Agent) map[string]any {
	m := map[string]any{"since": a.Since, "agent": a.ID, "kind": a.Kind}
	if s.Content != contentNone {
		m["tool"], m["problem"], m["folder"] = cut(a.Tool, mostState), cut(a.Problem, mostState), cut(a.Cwd, mostState)
	}
	return m
}

// attributes are those of a request.
func (s *Surface) attributes(r *nod.Request) map[string]any {
	m := map[string]any{"request": r.ID, "kind": r.Kind, "since": r.AskedAt, "title": s.title(r)}
	if r.ExpiresAt != nil {
		m["until"] = *r.ExpiresAt
	}
	if r.Risk != nil {
		m["risk"] = r.Risk.Level
	}
	if s.Content == contentNone {
		return m
	}
	m["tool"] = cut(r.Tool, mostState)
	if s.Content == contentFull {
		m["text"] = nod.Fold(nod.Visible(r.Display), mostText)
	}
	return m
}

// title is what is asked, as far as it may be known.
func (s *Surface) title(r *nod.Request) string {
	if s.Content == contentNone {
		return s.Say.Kind(r.Kind)
	}
	return cut(r.Title, mostState)
}

// line is an agent's words as a state; null: there is nothing to say.
func (s *Surface) line(text string) any {
	if text = cut(text, mostState); text == "" || s.Content == contentNone {
		return nil
	}
	return text
}

func (s *Surface) text(text string) string {
	if s.Content != contentFull {
		return ""
	}
	return nod.Fold(nod.Visible(text), mostText)
}

// happened is what the event entity tells of an event; nil: nothing.
func (s *Surface) happened(e nod.Event) map[string]any {
	var r *nod.Request
	if e.RequestID != "" {
		s.Hub.Look(func(st *nod.State) { r = st.Requests[e.RequestID] })
	}
	_, known := s.asked[e.RequestID]
	kind := ""
	switch {
	case e.Kind == nod.TurnTaken && e.Turn.Role == nod.TurnAgent && e.Turn.Who == nil:
		return map[string]any{"event_type": "finished", "answer": s.line(e.Turn.Text), "text": s.text(e.Turn.Text)}
	case r == nil:
		return nil
	case e.Kind == nod.RequestRaised && !r.Settled(): // a rule or a lease may have answered it in the same moment
		s.asked[r.ID] = struct{}{}
		m := s.attributes(r)
		m["event_type"] = r.Kind
		return m
	case e.Kind == nod.RequestDecided && known:
		kind = map[nod.Verdict]string{nod.VerdictAllow: "allowed", nod.VerdictDeny: "denied", nod.VerdictAnswer: "answered"}[e.Decision.Verdict]
	case e.Kind == nod.RequestWithdrawn && known:
		kind = "withdrawn"
	case e.Kind == nod.RequestExpired && known:
		kind = "expired"
	}
	if kind == "" {
		return nil
	}
	delete(s.asked, r.ID)
	m := s.attributes(r)
	m["event_type"] = kind
	if e.Decision != nil {
		m["by"], m["through"] = cut(e.Decision.By, mostState), e.Decision.Via
	}
	return m
}

// eventTypes are all that the event entity may tell of.
var eventTypes = [...]string{
	string(nod.KindApproval), string(nod.KindQuestion), string(nod.KindPlan), string(nod.KindElicitation),
	"allowed", "denied", "answered", "withdrawn", "expired", "finished", "refused",
}

// cut is one line of at most so many characters, in which nothing hides.
func cut(text string, most int) string {
	line := nod.Fold(nod.OneLine(strings.TrimSpace(text)), most)
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most])
	}
	return line
}

// marshal cannot fail: there is nothing in it but texts, numbers and times.
func marshal(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}
