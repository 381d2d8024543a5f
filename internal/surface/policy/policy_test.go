package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/judge/policy"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// book is rules that live nowhere but here.
type book struct {
	*policy.Policy
	added, reloaded []string
}

func (b *book) Current() *policy.Policy { return b.Policy }
func (b *book) Subject(r *nod.Request) policy.Subject {
	return policy.Subject{Tool: r.Tool, Input: r.Input, Cwd: "/src", Home: "/home/anna"}
}
func (b *book) Add(list, rule string) error { b.added = append(b.added, list+" "+rule); return nil }
func (b *book) Reload() error {
	b.reloaded = append(b.reloaded, "yes")
	return nod.Errorf(nod.Invalid, "line 3 is wrong")
}

var all = nod.RightsOf(nod.View, nod.Answering, nod.Admin)

// desk is a hub with these routes, and a way to call them with some rights.
func desk(t *testing.T, rules *book) (*hub.Hub, func(method, path, body string, rights nod.Rights) *httptest.ResponseRecorder) {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	keeper := auth.NewCredentials(store, nil, nil)
	gate := &httpd.Gate{Credentials: keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	mux := httpd.Mux(gate, slog.New(slog.DiscardHandler), Routes(Deps{Hub: h, Rules: rules, Now: time.Now})...)
	return h, func(method, path, body string, rights nod.Rights) *httptest.ResponseRecorder {
		s, _, err := keeper.Create(t.Context(), nod.Actor{Rights: all}, "phone", rights, "")
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+s.Reveal())
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
}

func TestDecisionsBecomeSuggestions(t *testing.T) {
	p, err := policy.New(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h, call := desk(t, &book{Policy: p})
	anna := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: all}
	for i := range 6 {
		id := nod.RequestID(fmt.Sprint("request-", i))
		input, _ := json.Marshal(map[string]string{"command": fmt.Sprint("go test ./pkg", i)})
		if _, err := h.Link("test").Ask(t.Context(), nod.Request{ID: id, Kind: nod.KindApproval, Tool: "Bash", Title: "go test", Input: input, Agent: nod.AgentRef{ID: "a"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Desk(anna).Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Fatal(err)
		}
	}
	var got v1.RuleSuggestions
	w := call("GET", "/v1/policy/suggestions?days=7", "", nod.RightsOf(nod.View))
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(w.Body)
	}
	if got.Looked != 6 || len(got.Suggestions) != 1 || got.Suggestions[0].Rule != "Bash(go test:*)" || got.Suggestions[0].WouldAllow != 6 {
		t.Errorf("%+v", got)
	}
	for _, wrong := range []string{"0", "x", "9999"} {
		if w := call("GET", "/v1/policy/suggestions?days="+wrong, "", all); w.Code != http.StatusBadRequest {
			t.Errorf("%s days: %d", wrong, w.Code)
		}
	}
}

func TestOnlyAnAdministratorMakesRules(t *testing.T) {
	p, _ := policy.New(policy.Config{})
	rules := &book{Policy: p}
	_, call := desk(t, rules)
	body := `{"list":"allow","rule":"Bash(go test:*)"}`
	if w := call("POST", "/v1/policy/rules", body, nod.RightsOf(nod.View, nod.Answering)); w.Code != http.StatusForbidden || len(rules.added) > 0 {
		t.Errorf("a phone made a rule: %d, %v", w.Code, rules.added)
	}
	if w := call("POST", "/v1/policy/rules", body, all); w.Code != http.StatusCreated || len(rules.added) != 1 {
		t.Errorf("%d, %v", w.Code, rules.added)
	}
	if w := call("POST", "/v1/policy/reload", "", all); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "line 3") {
		t.Errorf("wrong rules: %d %s", w.Code, w.Body)
	}
}
