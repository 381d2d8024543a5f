package entities

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/present/advise"
	"nod/internal/present/risk"
)

// Home Assistant's limits: a state has 255 characters, and attributes of more than
// 16 KiB in all are not recorded.
const (
	mostState = 255
	mostText  = 4000
	mostName  = 60
)

// presenter puts agents and requests into what is published, as much of it as the
// configuration allows.
type presenter struct {
	adapter.Deps
	content       string
	conversations bool // those without a terminal count too
}

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

// look is nil if the hub does not know the agent.
func (p presenter) look(id nod.AgentID, answer string) *view {
	v := &view{answer: answer}
	p.Hub.Look(func(st *nod.State) {
		v.agent = st.Agents[id]
		v.pending = st.PendingOf(id)
	})
	if v.agent == nil {
		return nil
	}
	if len(v.pending) > 0 {
		v.asked = v.pending[0]
		p.offer(v)
	}
	return v
}

// offer finds out which buttons work. A person cannot allow what they were not shown;
// what is dangerous or takes a passkey is for nod's own screens.
func (p presenter) offer(v *view) {
	if p.content == contentNone {
		return
	}
	v.choices = map[string]nod.Answer{}
	for _, b := range advise.All(advise.Situation{On: risk.Notification, Agent: v.agent, Pending: v.pending, Proof: p.Hub.ProofLevels(), Say: p.Say}) {
		if b.Do.Kind != advise.Decide || b.Hold || b.Do.Request != v.asked.ID {
			continue
		}
		a := *b.Do.Answer
		switch {
		case a.Verdict == nod.VerdictAllow && a.Remember == "" && a.Lease == nil:
			v.allow = p.whole(v.asked)
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

// whole reports whether everything that a person should read before they answer is
// published.
func (p presenter) whole(r *nod.Request) bool {
	shown, most := nod.OneLine(r.Title), mostState
	if p.content == contentFull && r.Display != "" {
		shown, most = nod.Visible(r.Display), mostText
	}
	return utf8.RuneCountInString(shown) <= most && !strings.Contains(shown, "⟨… +") // as nod.Fold marks what it left out
}

// state is what entities read their states and attributes from.
func (p presenter) state(v *view) []byte {
	m := map[string]any{
		"state": v.agent.State, "pending": len(v.pending), "answer": p.line(v.answer), "request": nil, "id": "",
		"allow": v.allow, "deny": v.asked != nil, "choose": len(v.labels) > 0, "choice": nil,
		"stop": v.agent.State == nod.AgentWorking || v.agent.State == nod.AgentWaiting,
		"say":  v.agent.Alive() && v.agent.Able(nod.CanSay),
	}
	m["about"] = p.about(v.agent)
	m["answered"] = map[string]any{"text": p.text(v.answer)}
	asked := map[string]any{}
	if r := v.asked; r != nil {
		asked = p.attributes(r)
		m["id"], m["request"] = r.ID, p.title(r)
		if len(v.labels) > 0 {
			asked["choices"] = v.labels
		}
	}
	m["asked"] = asked
	return marshal(m)
}

// hubState is what waits for all agents together.
func (p presenter) hubState() []byte {
	pending, agents := 0, 0
	var oldest *nod.Request
	p.Hub.Look(func(st *nod.State) {
		open := st.PendingOf("")
		if pending = len(open); pending > 0 {
			oldest = open[0]
		}
		for _, a := range st.Agents {
			if a.Alive() && (p.conversations || a.Talk == nil) {
				agents++
			}
		}
	})
	asked := map[string]any{}
	if oldest != nil {
		asked = p.attributes(oldest)
	}
	return marshal(map[string]any{"pending": pending, "agents": agents, "asked": asked, "stop": true})
}

// about is what else is known about an agent.
func (p presenter) about(a *nod.Agent) map[string]any {
	m := map[string]any{"since": a.Since, "agent": a.ID, "kind": a.Kind}
	if p.content != contentNone {
		m["tool"], m["problem"], m["folder"] = cut(a.Tool, mostState), cut(a.Problem, mostState), cut(a.Cwd, mostState)
	}
	return m
}

// attributes are those of a request.
func (p presenter) attributes(r *nod.Request) map[string]any {
	m := map[string]any{"request": r.ID, "kind": r.Kind, "since": r.AskedAt, "title": p.title(r)}
	if r.ExpiresAt != nil {
		m["until"] = *r.ExpiresAt
	}
	if r.Risk != nil {
		m["risk"] = r.Risk.Level
	}
	if p.content == contentNone {
		return m
	}
	m["tool"] = cut(r.Tool, mostState)
	if p.content == contentFull {
		m["text"] = nod.Fold(nod.Visible(r.Display), mostText)
	}
	return m
}

// title is what is asked, or only its kind if content is "none".
func (p presenter) title(r *nod.Request) string {
	if p.content == contentNone {
		return p.Say.Kind(r.Kind)
	}
	return cut(r.Title, mostState)
}

// line is an agent's text as a state; nil: none.
func (p presenter) line(text string) any {
	if text = cut(text, mostState); text == "" || p.content == contentNone {
		return nil
	}
	return text
}

func (p presenter) text(text string) string {
	if p.content != contentFull {
		return ""
	}
	return nod.Fold(nod.Visible(text), mostText)
}

// cut is one line of at most that many characters, with nothing hidden in it.
func cut(text string, most int) string {
	line := nod.Fold(nod.OneLine(strings.TrimSpace(text)), most)
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most])
	}
	return line
}

// marshal cannot fail: v holds nothing but texts, numbers and times.
func marshal(v any) []byte {
	b, _ := json.Marshal(v)
	return b
}
