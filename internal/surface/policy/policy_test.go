package policy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/judge/policy"
)

// fakeRules keeps its rules in memory.
type fakeRules struct {
	*policy.Policy
	added []string
}

func (f *fakeRules) Current() *policy.Policy { return f.Policy }
func (f *fakeRules) Subject(r *nod.Request) policy.Subject {
	return policy.Subject{Tool: r.Tool, Input: r.Input, Cwd: "/src", Home: "/home/anna"}
}
func (f *fakeRules) Add(list, rule string) error {
	f.added = append(f.added, list+" "+rule)
	return nil
}
func (f *fakeRules) Reload() error { return nod.Errorf(nod.Invalid, "line 3 is wrong") }

// serve is a hub with these routes, and a way to call them with some rights.
func serve(t *testing.T, rules *fakeRules) (*hubtest.Rig, func(method, path, body string, rights nod.Rights) *httptest.ResponseRecorder) {
	t.Helper()
	g := hubtest.New(t, hubtest.Options{})
	web := g.Serve(New(adapter.Deps{Deps: g.Deps()}, Needs{rules}).Routes()...)
	return g, func(method, path, body string, rights nod.Rights) *httptest.ResponseRecorder {
		return web.Send(method, path, web.Token("phone", rights), body)
	}
}

func TestDecisionsBecomeSuggestions(t *testing.T) {
	p, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	g, call := serve(t, &fakeRules{Policy: p})
	for i := range 6 {
		id := nod.RequestID(fmt.Sprint("request-", i))
		input, _ := json.Marshal(map[string]string{"command": fmt.Sprint("go test ./pkg", i)})
		g.Ask(nod.Request{ID: id, Kind: nod.KindApproval, Tool: "Bash", Title: "go test", Input: input, Agent: nod.AgentRef{ID: "a"}})
		g.Decide(id, nod.VerdictAllow)
	}
	// What was allowed there may have been something else.
	g.Ask(nod.Request{ID: "unsure", Kind: nod.KindApproval, Tool: "Bash", Title: "go test", Input: json.RawMessage(`{"command":"go test"}`), Unsure: true, Agent: nod.AgentRef{ID: "a"}})
	g.Decide("unsure", nod.VerdictAllow)
	var got v1.RuleSuggestions
	w := call("GET", "/v1/policy/suggestions?days=7", "", nod.RightsOf(nod.View))
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(w.Body)
	}
	if got.Looked != 6 || len(got.Suggestions) != 1 || got.Suggestions[0].Rule != "Bash(go test:*)" || got.Suggestions[0].WouldAllow != 6 {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []string{"0", "x", "9999"} {
		if w := call("GET", "/v1/policy/suggestions?days="+wrong, "", hubtest.All); w.Code != http.StatusBadRequest {
			t.Errorf("%s days: %d", wrong, w.Code)
		}
	}
}

func TestOnlyAnAdministratorMakesRules(t *testing.T) {
	p, _ := policy.New(policy.Config{})
	rules := &fakeRules{Policy: p}
	_, call := serve(t, rules)
	body := `{"list":"allow","rule":"Bash(go test:*)"}`
	if w := call("POST", "/v1/policy/rules", body, nod.RightsOf(nod.View, nod.Answering)); w.Code != http.StatusForbidden || len(rules.added) > 0 {
		t.Errorf("a phone made a rule: %d, %v", w.Code, rules.added)
	}
	if w := call("POST", "/v1/policy/rules", body, hubtest.All); w.Code != http.StatusCreated || len(rules.added) != 1 {
		t.Errorf("%d, %v", w.Code, rules.added)
	}
	if w := call("POST", "/v1/policy/reload", "", hubtest.All); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "line 3") {
		t.Errorf("wrong rules: %d %s", w.Code, w.Body)
	}
}
