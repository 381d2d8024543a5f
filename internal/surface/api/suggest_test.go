package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

// rest lets an agent end its turn with some words.
func (g *rig) rest(id nod.AgentID, text string) {
	g.Helper()
	g.Agent(id, nod.AgentIdle)
	g.Report(hub.Said(nod.Turn{Agent: id, Role: nod.TurnAgent, Text: text}))
}

func labels(a v1.Advice) string {
	var out []string
	for _, b := range a.Suggestions {
		out = append(out, b.Label)
	}
	return strings.Join(out, " | ")
}

func TestSuggestionsFollowTheState(t *testing.T) {
	g := newRig(t)
	token := g.token(auth.Paired)
	see := func(id, query string) (a v1.Advice) {
		t.Helper()
		w := g.send("GET", "/v1/agents/"+id+"/suggestions?"+query, token, "")
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
			t.Fatal(w.Body, err)
		}
		return a
	}
	g.agent("speaker", nod.CanSay, nod.CanBackground)
	if got := labels(see("speaker", "")); got != "STOP | BACKGROUND" {
		t.Errorf("at work: %s", got)
	}
	g.rest("speaker", "I fixed it. Shall I commit?")
	asked := see("speaker", "")
	if labels(asked) != "Yes | No | Explain | Example" || asked.Suggestions[0].Do != (v1.Act{Kind: "say", Text: "Yes."}) {
		t.Errorf("a question in prose: %+v", asked)
	}
	if got := labels(see("speaker", "most=2")); got != "Yes | More" {
		t.Errorf("two buttons: %s", got)
	}
	if got := labels(see("speaker", "most=2&page=1")); got != "No | More" {
		t.Errorf("two buttons, on: %s", got)
	}

	g.agent("agent-1")
	g.question("question")
	if got := labels(see("agent-1", "reads=1")); got != "Open nod | Skip" { // several may be picked
		t.Errorf("a question of several choices: %s", got)
	}
	g.send("POST", "/v1/requests/question/decision", token, `{"verdict":"deny"}`)
	g.ask("0123456789abcdef")
	if got := labels(see("agent-1", "reads=1")); got != "Yes | Always… | No" {
		t.Errorf("an approval: %s", got)
	}
	answer := see("agent-1", "reads=1").Suggestions[0].Do
	if _, err := g.device(auth.Paired).Decide(t.Context(), answer.Request, *answer.Answer); err != nil {
		t.Errorf("what the button does is refused: %v", err)
	}
	if got := labels(see("agent-1", "")); got != "STOP" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestSuggestionsUseAcceptLanguage(t *testing.T) {
	g := newRig(t)
	g.agent("speaker", nod.CanSay)
	g.rest("speaker", "Shall I go on?")
	w := g.send("GET", "/v1/agents/speaker/suggestions?most=2", g.token(nod.RightsOf(nod.View)), "", "Accept-Language", "ja")
	var a v1.Advice
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || len(a.Suggestions) != 2 || a.Suggestions[0].Label != "はい" || a.Suggestions[0].Do.Text != "はい。" {
		t.Errorf("%v: %s", err, w.Body)
	}
}

func TestNoSuggestionsAreAnEmptyList(t *testing.T) {
	g := newRig(t)
	g.agent("mute")
	g.rest("mute", "Shall I go on?")
	if got := strings.TrimSpace(g.send("GET", "/v1/agents/mute/suggestions", g.token(nod.RightsOf(nod.View)), "").Body.String()); got != `{"suggestions":[]}` {
		t.Error(got)
	}
}
