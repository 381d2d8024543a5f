package brain

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/talk/scripted"
)

// rig is a hub with this surface and a scripted assistant.
type rig struct {
	*hubtest.Rig
	web    *hubtest.Web
	routes []httpd.Route
	heard  []nod.Message
	driver *scripted.Driver
}

// byTool judges requests by the name of their tool.
var byTool = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch r.Tool {
	case "Wipe":
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}}
	case "Pay":
		return hub.Judgement{Risk: &nod.Risk{Level: "unknown"}}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "write"}}
})

func newRig(t *testing.T, script func(*rig, *scripted.Turn), change ...func(*Config)) *rig {
	t.Helper()
	g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{
		Policy: byTool, Proof: []string{"unknown"},
		Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}, {Name: "klaudiusz", Kind: "claude", Language: "pl", Context: 7 * time.Minute}},
	}})}
	g.driver = scripted.New(t, g.Hub, func(turn *scripted.Turn) {
		g.heard = append(g.heard, turn.Message)
		script(g, turn)
	})
	c := Config{Wait: time.Minute, Context: 5 * time.Minute}
	for _, f := range change {
		f(&c)
	}
	g.routes = New(c, adapter.Deps{Deps: g.Deps()}).Routes()
	g.web = g.Serve(g.routes...)
	return g
}

// token is that of a device with a name.
func (g *rig) token(name string, rights nod.Rights) string { return g.web.Token(name, rights) }

func (g *rig) send(path, token, body string, headers ...string) *httptest.ResponseRecorder {
	return g.web.Send("POST", path, token, body, func(r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
	})
}

// ask sends a question from the usual speaker and reads the answer.
func (g *rig) ask(body string) answer {
	g.Helper()
	return g.read(g.send("/ask", g.token("speaker", auth.Paired), body))
}

func (g *rig) read(w *httptest.ResponseRecorder) (a answer) {
	g.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		g.Fatalf("%d: %v: %s", w.Code, err, w.Body)
	}
	return a
}

// assistant is the one of the transcripts: it does what the question says.
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
		turn.Verdict(ask(nod.Request{Tool: "mcp__home-assistant__HassTurnOff", Input: json.RawMessage(`{"area":"kitchen","name":"` + rest + `"}`), Title: "{…}"}), "It is off now.", "Then it stays on.")
	case "run":
		input, _ := json.Marshal(map[string]string{"command": rest})
		turn.Verdict(ask(nod.Request{Tool: "Bash", Input: input, Title: rest}), "It ran.", "It did not run.")
	case "wipe":
		turn.Verdict(ask(nod.Request{Tool: "Wipe", Title: rest}), "Wiped.", "Kept.")
	case "pay":
		turn.Verdict(ask(nod.Request{Tool: "Pay", Title: rest}), "Paid.", "Not paid.")
	case "twice":
		ask(nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Title: "ls"})
		turn.Verdict(turn.Ask(nod.Request{ID: id + "b", OneTap: true, Tool: "Bash", Input: json.RawMessage(`{"command":"date"}`), Title: "date"}), "Both ran.", "One ran.")
	case "choose":
		r := ask(nod.Request{Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which **lamp**?", Questions: []nod.Question{
			{Text: "Which **lamp**?", FreeText: rest != "strictly", Choices: []nod.Choice{{Label: "Kitchen lamp"}, {Label: "Hall lamp", Description: "by the door"}}}}})
		if r.Decision.Verdict == nod.VerdictDeny {
			turn.Reply("No lamp then.")
			return
		}
		turn.Reply("You chose " + r.Decision.Answers["Which **lamp**?"].Joined() + ".")
	case "plan":
		turn.Verdict(ask(nod.Request{Kind: nod.KindPlan, Tool: "ExitPlanMode", Title: "A plan", Options: []nod.Option{{ID: "default", Kind: nod.OptionMode, Label: "default"}}}), "On it.", "No plan.")
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
		turn.Hear()
		select {
		case <-time.After(2 * time.Minute): // of the bubble's own clock
			turn.Reply("At last.")
		case <-turn.Context().Done():
		}
	default:
		turn.Reply("You said: " + text + ".")
	}
}
