package brain

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
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a hub with this surface, and a make-believe assistant.
type rig struct {
	t      *testing.T
	hub    *hub.Hub
	keeper *auth.Credentials
	routes []httpd.Route
	mux    http.Handler
	tokens map[string]string
	heard  []nod.Message
	driver *scripted.Driver
}

// byTool judges by the name of a tool what real rules judge by much more.
type byTool struct{}

func (byTool) Judge(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch r.Tool {
	case "Wipe":
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}}
	case "Pay":
		return hub.Judgement{Risk: &nod.Risk{Level: "unknown"}}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "write"}}
}

func (byTool) Check([]string) error { return nil }

func newRig(t *testing.T, script func(*rig, *scripted.Turn), change ...func(*Options)) *rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{
		Version: "test", Policy: byTool{}, Proof: []string{"unknown"},
		Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}, {Name: "klaudiusz", Kind: "claude", Language: "pl", Context: 7 * time.Minute}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, hub: h, keeper: auth.NewCredentials(store, nil, nil), tokens: map[string]string{}}
	g.driver = scripted.New(t, h, func(turn *scripted.Turn) {
		g.heard = append(g.heard, turn.Message)
		script(g, turn)
	})
	o := Options{Hub: h, Asker: talk.New(hub.Deps{Hub: h}, time.Minute), Context: 5 * time.Minute}
	for _, f := range change {
		f(&o)
	}
	g.routes = Routes(o)
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, slog.New(slog.DiscardHandler), g.routes...)
	return g
}

// token makes one for a device that has a name.
func (g *rig) token(name string, rights nod.Rights) string {
	g.t.Helper()
	key := name + rights.String()
	if g.tokens[key] == "" {
		s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, name, rights, "")
		if err != nil {
			g.t.Fatal(err)
		}
		g.tokens[key] = s.Reveal()
	}
	return g.tokens[key]
}

func (g *rig) send(path, token, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(g.t.Context(), "POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

// ask sends a question from the usual speaker and reads the answer.
func (g *rig) ask(body string) answer {
	g.t.Helper()
	return g.read(g.send("/ask", g.token("speaker", auth.Paired), body))
}

func (g *rig) read(w *httptest.ResponseRecorder) (a answer) {
	g.t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		g.t.Fatalf("%d: %v: %s", w.Code, err, w.Body)
	}
	return a
}

// assistant is the one in the transcripts. What it does is in the question.
func assistant(g *rig, turn *scripted.Turn) {
	text := turn.Message.Text
	id := nod.RequestID(fmt.Sprintf("request-%d", len(g.heard)))
	ask := func(r nod.Request) *nod.Request {
		expires := time.Now().Add(5 * time.Minute)
		r.ID, r.OneTap, r.ExpiresAt = id, true, &expires
		return turn.Ask(r)
	}
	switch word, rest, _ := strings.Cut(text, " "); word {
	case "say":
		turn.Reply(strings.ReplaceAll(rest, `\n`, "\n"))
	case "off":
		verdict(turn, ask(nod.Request{Tool: "mcp__home-assistant__HassTurnOff", Input: json.RawMessage(`{"area":"kitchen","name":"` + rest + `"}`), Title: "{…}"}), "It is off now.", "Then it stays on.")
	case "run":
		input, _ := json.Marshal(map[string]string{"command": rest})
		verdict(turn, ask(nod.Request{Tool: "Bash", Input: input, Title: rest}), "It ran.", "It did not run.")
	case "wipe":
		verdict(turn, ask(nod.Request{Tool: "Wipe", Title: rest}), "Wiped.", "Kept.")
	case "pay":
		verdict(turn, ask(nod.Request{Tool: "Pay", Title: rest}), "Paid.", "Not paid.")
	case "twice":
		ask(nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Title: "ls"})
		verdict(turn, turn.Ask(nod.Request{ID: id + "b", OneTap: true, Tool: "Bash", Input: json.RawMessage(`{"command":"date"}`), Title: "date"}), "Both ran.", "One ran.")
	case "choose":
		r := ask(nod.Request{Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which **lamp**?", Questions: []nod.Question{
			{Text: "Which **lamp**?", FreeText: rest != "strictly", Choices: []nod.Choice{{Label: "Kitchen lamp"}, {Label: "Hall lamp", Description: "by the door"}}}}})
		if r.Decision.Verdict == nod.VerdictDeny {
			turn.Reply("No lamp then.")
			return
		}
		turn.Reply("You chose " + r.Decision.Answers["Which **lamp**?"].Joined() + ".")
	case "plan":
		verdict(turn, ask(nod.Request{Kind: nod.KindPlan, Tool: "ExitPlanMode", Title: "A plan", Options: []nod.Option{{ID: "default", Kind: nod.OptionMode, Label: "default"}}}), "On it.", "No plan.")
	case "hold":
		r := turn.Hold(nod.Request{ID: id, Tool: "Confirm", Title: rest, OneTap: true})
		if r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictAllow {
			turn.Reply("Everything is off.")
			return
		}
		turn.Refuse(nod.TroubleRefused, "It was not confirmed.")
	case "fail":
		turn.Fail(nod.Trouble(rest), "It failed: "+rest)
	case "limit":
		turn.Limit(time.Now().Add(90*time.Minute), "at the limit")
	case "slow":
		select {
		case <-time.After(2 * time.Minute): // of the bubble's own clock
			turn.Reply("At last.")
		case <-turn.Context().Done():
		}
	default:
		turn.Reply("You said: " + text + ".")
	}
}

func verdict(turn *scripted.Turn, r *nod.Request, yes, no string) {
	switch {
	case r == nil:
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictAllow:
		turn.Reply(yes)
	default:
		turn.Reply(no)
	}
}
