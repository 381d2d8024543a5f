package ollama

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/auth"
	"nod/internal/converse"
	"nod/internal/converse/scripted"
	"nod/internal/httpd"
	"nod/internal/hub"
	"nod/internal/store/mem"
)

var (
	everything = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	talking    = nod.RightsOf(nod.View, nod.Answering)
)

// rig is a hub with this surface, and an assistant who does what its words say.
type rig struct {
	t      *testing.T
	hub    *hub.Hub
	keeper *auth.Keeper
	routes []httpd.Route
	mux    http.Handler
	tokens map[string]string
	steps  chan string // what the script waits for
}

func newRig(t *testing.T, change func(*converse.ChatOptions)) *rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test", Proof: []string{"network"}, Assistants: []nod.Assistant{
		{Name: "house", Kind: "claude", About: "Knows the house.", Model: "small"}, {Name: "dom", Kind: "claude", Language: "pl"}, {Name: "ie", Kind: "claude", Language: "ja"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, hub: h, keeper: auth.NewKeeper(store, nil, nil), tokens: map[string]string{}, steps: make(chan string)}
	scripted.New(t, h, g.script)
	o := converse.ChatOptions{Asker: converse.New(converse.Options{Hub: h}), Context: 5 * time.Minute, While: httpd.WhileServing}
	if change != nil {
		change(&o)
	}
	g.open(o)
	return g
}

// open makes the surface, anew as after a restart.
func (g *rig) open(o converse.ChatOptions) {
	fixed := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	g.routes = Routes(Options{Hub: g.hub, Chats: converse.NewChats(o), Version: "1.2.3", Started: fixed, Now: func() time.Time { return fixed }})
	gate := &httpd.Gate{Keeper: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.hub.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, slog.New(slog.DiscardHandler), g.routes...)
}

// script is the assistant. The first word says what it does.
func (g *rig) script(turn *scripted.Turn) {
	var agent *nod.Agent
	g.hub.Look(func(s *nod.State) { agent = s.Agents[turn.Message.Agent] })
	verb, rest, _ := strings.Cut(turn.Message.Text, " ")
	switch verb {
	case "told":
		turn.Reply(fmt.Sprintf("Hints: %q. Hint: %q.", agent.Talk.Hints, turn.Message.Hint))
	case "fail":
		turn.Fail(nod.Trouble(rest), "The log has more.")
	case "refuse":
		turn.Refuse(nod.NotAllowed, "A rule says no.")
	case "wait", "break":
		for step := <-g.steps; step != "end"; step = <-g.steps {
			turn.Piece(step)
		}
		if verb == "break" {
			turn.Fail(nod.Crashed, "It broke.")
		}
	case "run", "wipe", "fetch":
		risk := map[string]string{"run": "write", "wipe": "destructive", "fetch": "network"}[verb]
		input, _ := json.Marshal(map[string]string{"command": rest})
		r := turn.Ask(nod.Request{ID: nod.RequestID("request-" + turn.Message.ID), Tool: "Bash", Title: "Bash: " + rest, Input: input, OneTap: true, Risk: &nod.Risk{Level: risk}})
		if r != nil && r.Decision != nil {
			turn.Reply("It was answered: " + string(r.Decision.Verdict) + ".")
		}
	case "choose":
		r := turn.Ask(nod.Request{
			ID: nod.RequestID("request-" + turn.Message.ID), Kind: nod.Asking, Tool: "AskUserQuestion", Title: "Which room?",
			Questions: []nod.Question{{Text: "Which room?", FreeText: true, Choices: []nod.Choice{{Label: "Kitchen"}, {Label: "Garden"}}}},
		})
		if r != nil && r.Decision != nil {
			turn.Reply("You chose " + r.Decision.Answers["Which room?"].Joined() + ".")
		}
	default:
		turn.Reply(fmt.Sprintf("%s: question %d of this conversation.", turn.Message.Text, agent.Talk.Turns+1))
	}
}

func (g *rig) token(name string, rights nod.Rights) string {
	g.t.Helper()
	key := name + rights.String()
	if known, ok := g.tokens[key]; ok {
		return known
	}
	s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: everything}, name, rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	g.tokens[key] = s.Reveal()
	return g.tokens[key]
}

// request is one for the handler.
func (g *rig) request(ctx context.Context, method, path, token, body string) *http.Request {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(ctx, method, path, in)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

// send plays one request without a network.
func (g *rig) send(method, path, token, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, g.request(g.t.Context(), method, path, token, body))
	return w
}
