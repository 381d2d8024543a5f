package api_test

import (
	"bytes"
	"fmt"
	"mime"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

// exchange is a real request and the status it must get. Every status that the
// description promises for a route must be reached by one.
type exchange struct {
	route, query, id, body, token string
	status                        int
}

func exchanges(g *rig) []exchange {
	admin, viewer := g.token(all), g.token(nod.RightsOf(nod.View))
	throwaway := g.token(nod.RightsOf(nod.View))[4:12]
	pairing, err := g.web.Credentials.Pair(g.Context(), nod.Actor{Rights: all}, 0)
	if err != nil {
		g.Fatal(err)
	}
	box := nod.Lease{Rules: []string{"Bash(ls:*)"}, Until: time.Now().Add(time.Hour), Limit: 1}
	grant := func() *nod.Lease {
		l, err := g.Desk().Grant(g.Context(), box)
		if err != nil {
			g.Fatal(err)
		}
		return l
	}
	granted, revoked := grant(), grant()
	large := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	list := []exchange{
		{"GET /health", "", "", "", "", 200},
		{"GET /health", "", "", "", admin, 200},
		{"GET /health/live", "", "", "", "", 200},
		{"GET /health/ready", "", "", "", "", 200},
		{"GET /v1/openapi.json", "", "", "", "", 200},
		{"GET /v1/state", "", "", "", viewer, 200},
		{"GET /v1/state", "x=1", "", "", viewer, 400},
		{"GET /v1/events", "after=x", "", "", viewer, 400},
		{"GET /v1/log", "", "", "", viewer, 200},
		{"GET /v1/log", "limit=0", "", "", viewer, 400},
		{"GET /v1/log", "after=99999", "", "", viewer, 410},
		{"GET /v1/requests", "", "", "", viewer, 200},
		{"GET /v1/requests", "status=pending", "", "", viewer, 200},
		{"GET /v1/requests", "status=x", "", "", viewer, 400},
		{"GET /v1/requests/{id}", "", "aaaa", "", viewer, 200},
		{"GET /v1/requests/{id}", "", "question", "", viewer, 200},
		{"GET /v1/requests/{id}", "", "abbb", "", viewer, 400},
		{"GET /v1/requests/{id}", "", "zzzz", "", viewer, 404},
		{"GET /v1/requests/{id}/card", "", "aaaaaaaaaaaaaaaa", "", viewer, 200},
		{"GET /v1/requests/{id}/card", "", "abbb", "", viewer, 400},
		{"GET /v1/requests/{id}/card", "", "zzzz", "", viewer, 404},
		{"GET /v1/agents/{id}/turns", "html=1", "agent-1", "", viewer, 200},
		{"POST /v1/requests/{id}/shown", "", "aaaaaaaaaaaaaaaa", "", viewer, 204},
		{"POST /v1/requests/{id}/shown", "", "aaaa", "", viewer, 404},
		{"POST /v1/requests/{id}/decision", "", "aaaaaaaaaaaaaaaa", `{}`, admin, 400},
		{"POST /v1/requests/{id}/decision", "", "aaaa", `{"verdict":"allow"}`, admin, 404},
		{"POST /v1/requests/{id}/decision", "", "aaaaaaaaaaaaaaaa", `{"verdict":"answer"}`, admin, 422},
		{"POST /v1/requests/{id}/decision", "", "aaaaaaaaaaaaaaaa", strings.Repeat(large, 4), admin, 413},
		{"POST /v1/requests/{id}/decision", "", "aaaaaaaaaaaaaaaa", `{"verdict":"allow","input":"ls -l"}`, admin, 200},
		{"POST /v1/requests/{id}/decision", "", "aaaaaaaaaaaaaaaa", `{"verdict":"deny","stop":true}`, admin, 409},
		{"POST /v1/requests/{id}/decision", "", "question", `{"verdict":"answer","answers":{"Which?":["a","b"]}}`, admin, 200},
		{"POST /v1/requests/{id}/decision", "", "question", `{"verdict":"deny"}`, g.token(nod.RightsOf(nod.Answering)), 409},
		{"GET /v1/agents", "", "", "", viewer, 200},
		{"GET /v1/agents", "x=1", "", "", viewer, 400},
		{"GET /v1/agents/{id}", "", "agent-1", "", viewer, 200},
		{"GET /v1/agents/{id}", "", "agent-", "", viewer, 400},
		{"GET /v1/agents/{id}", "", "nobody", "", viewer, 404},
		{"GET /v1/agents/{id}/turns", "", "agent-1", "", viewer, 200},
		{"GET /v1/agents/{id}/turns", "limit=x", "agent-1", "", viewer, 400},
		{"GET /v1/agents/{id}/turns", "", "nobody", "", viewer, 404},
		{"GET /v1/agents/{id}/suggestions", "", "speaker", "", viewer, 200},
		{"GET /v1/agents/{id}/suggestions", "most=3&page=1&holds=1&reads=1", "agent-1", "", viewer, 200},
		{"GET /v1/agents/{id}/suggestions", "most=0", "agent-1", "", viewer, 400},
		{"GET /v1/agents/{id}/suggestions", "", "nobody", "", viewer, 404},
		{"GET /v1/assistants", "", "", "", viewer, 200},
		{"POST /v1/agents", "", "", `{"id":"c-kitchen","room":"kitchen","user":"anna","language":"pl","context":300}`, admin, 201},
		{"POST /v1/agents", "", "", `{"assistant":"coder","name":"the tests"}`, admin, 201},
		{"POST /v1/agents", "", "", `{"id":"short"}`, admin, 400},
		{"POST /v1/agents", "", "", `{"assistant":"nobody"}`, admin, 404},
		{"POST /v1/agents", "", "", `{"id":"agent-with-a-terminal"}`, admin, 409},
		{"POST /v1/agents", "", "", large, admin, 413},
		{"GET /v1/agents/{id}", "", "c-kitchen", "", viewer, 200},
		{"GET /v1/agents/{id}/draft", "x=1", "c-kitchen", "", viewer, 400},
		{"GET /v1/agents/{id}/draft", "", "nobody", "", viewer, 404},
		{"DELETE /v1/agents/{id}", "", "c-kitchen", "", admin, 204},
		{"DELETE /v1/agents/{id}", "", "c-kitchen", "", admin, 204},
		{"DELETE /v1/agents/{id}", "", "c-kitch", "", admin, 404},
		{"DELETE /v1/agents/{id}", "", "agent-1", "", admin, 409},
		{"GET /v1/me", "", "", "", viewer, 200},
		{"DELETE /v1/me", "", "", "", g.token(nod.RightsOf(nod.Raise)), 204},
		{"GET /v1/history", "q=LS&by=phone&verdict=allow", "", "", viewer, 200},
		{"GET /v1/history", "verdict=maybe", "", "", viewer, 400},
		{"GET /v1/history.csv", "", "", "", viewer, 200},
		{"GET /v1/history.csv", "from=yesterday", "", "", viewer, 400},
		{"GET /v1/history.json", "", "", "", viewer, 200},
		{"GET /v1/history.json", "limit=1", "", "", viewer, 400},
		{"POST /v1/agents/{id}/turns", "", "agent-1", `{"id":"message-1","text":"go on"}`, admin, 409},
		{"POST /v1/agents/{id}/turns", "", "speaker", `{"id":"message-1","text":"go on"}`, admin, 202},
		{"POST /v1/agents/{id}/turns", "", "agent-1", `{"id":"message-2","text":""}`, admin, 400},
		{"POST /v1/agents/{id}/turns", "", "nobody", `{"id":"message-2","text":"x"}`, admin, 404},
		{"POST /v1/agents/{id}/turns", "", "agent-1", large, admin, 413},
		{"POST /v1/attachments", "name=photo.jpg", "", "bytes", admin, 201},
		{"POST /v1/attachments", "nome=photo.jpg", "", "bytes", admin, 400},
		{"POST /v1/attachments", "name=film", "", strings.Repeat(large, 20), admin, 413},
		{"POST /v1/leases", "", "", `{"rules":["Bash(ls:*)"],"minutes":5,"host":"desk"}`, admin, 201},
		{"POST /v1/leases", "", "", `{"rules":["Bash(ls:*)"],"minutes":999999999999}`, admin, 400},
		{"POST /v1/leases", "", "", `{"rules":["Bash(ls:*)"],"minutes":5,"agent":"nobody"}`, admin, 404},
		{"POST /v1/leases", "", "", large, admin, 413},
		{"GET /v1/leases", "", "", "", viewer, 200},
		{"DELETE /v1/leases/{id}", "", string(revoked.ID), "", admin, 200},
		{"DELETE /v1/leases/{id}", "", "l0", "", admin, 404},
		{"POST /v1/agents/{id}/keys", "", "speaker", `{"key":"mode"}`, admin, 202},
		{"POST /v1/agents/{id}/keys", "", "speaker", `{"key":"background"}`, admin, 409},
		{"POST /v1/agents/{id}/keys", "", "speaker", `{"key":"ctrl-c"}`, admin, 400},
		{"POST /v1/agents/{id}/keys", "", "nobody", `{"key":"mode"}`, admin, 404},
		{"POST /v1/agents/{id}/interrupt", "", "agent-2", "", admin, 200},
		{"POST /v1/agents/{id}/interrupt", "", "nobody", "", admin, 404},
		{"POST /v1/stop", "", "", "", admin, 200},
		{"DELETE /v1/leases/{id}", "", string(granted.ID), "", admin, 404}, // it went with the red button
		{"GET /v1/tokens", "", "", "", admin, 200},
		{"POST /v1/tokens", "", "", `{"name":"clock","rights":"view","room":"hall"}`, admin, 201},
		{"POST /v1/tokens", "", "", `{"name":"clock"}`, admin, 400},
		{"POST /v1/tokens", "", "", large, admin, 413},
		{"DELETE /v1/tokens/{id}", "", throwaway, "", admin, 204},
		{"DELETE /v1/tokens/{id}", "", throwaway, "", admin, 404},
		{"POST /v1/pairings", "", "", `{"rights":"root"}`, admin, 400},
		{"POST /v1/pairings", "", "", large, admin, 413},
		{"POST /v1/pairings", "", "", `{}`, admin, 201},
		{"POST /v1/pairings", "", "", `{}`, admin, 201},
		{"POST /v1/pairings", "", "", `{}`, admin, 201},
		{"POST /v1/pairings", "", "", `{"rights":"view"}`, admin, 503},
		{"POST /v1/pair", "", "", `{"code":"` + pairing.Code + `","name":"phone"}`, "", 201},
		{"POST /v1/pair", "", "", `{"kode":"x"}`, "", 400},
		{"POST /v1/pair", "", "", large, "", 413},
	}
	for _, status := range []int{401, 401, 401, 401, 401, 503} {
		list = append(list, exchange{"POST /v1/pair", "", "", `{"code":"x","name":"thief"}`, "", status})
	}
	hook := g.token(nod.RightsOf(nod.Raise))
	for _, rt := range g.routes {
		if name := rt.Method + " " + rt.Path; !rt.Open {
			list = append(list, exchange{name, "", "x", "", "", 401})
			if rt.Right != 0 {
				list = append(list, exchange{name, "", "x", "", hook, 403})
			}
		}
	}
	return list
}

func TestAnswersAreAsDescribed(t *testing.T) {
	g := newRig(t)
	g.agent("agent-1")
	g.agent("agent-2")
	g.agent("speaker", nod.CanSay, nod.CanMode)
	g.agent("agent-with-a-terminal")
	g.ask("aaaaaaaaaaaaaaaa")
	g.ask("abbbbbbbbbbbbbbb")
	g.ask("abbbcccccccccccc")
	g.question("question")
	described := compiler(t)
	reached := map[string]bool{
		"GET /v1/events 200":            true, // TestStreamedEventsAreAsDescribed
		"GET /v1/agents/{id}/draft 200": true, // TestTheDraftOnTheWire
		"POST /v1/agents 503":           true, // TestAHubWithoutAssistants
		"GET /health/ready 503":         true, // TestClosingHubIsNotReady
	}
	for _, x := range exchanges(g) {
		method, path, _ := strings.Cut(x.route, " ")
		path = strings.Replace(path, "{id}", x.id, 1)
		if x.query != "" {
			path += "?" + x.query
		}
		w := g.send(method, path, x.token, x.body)
		if w.Code != x.status {
			t.Errorf("%s %s: %d, want %d: %.300s", x.route, path, w.Code, x.status, w.Body)
			continue
		}
		reached[fmt.Sprint(x.route, " ", x.status)] = true
		described.check(t, x.route, w.Code, w.Header().Get("Content-Type"), w.Body.Bytes())
	}
	for _, rt := range g.routes {
		name := rt.Method + " " + rt.Path
		op := operations[name]
		statuses := failures(rt, op)
		for status := range op.out {
			statuses = append(statuses, status)
		}
		for _, status := range slices.Compact(statuses) {
			if !reached[fmt.Sprint(name, " ", status)] {
				t.Errorf("%s: nobody tried how it comes to %d", name, status)
			}
		}
	}
}

// question raises a request with a question.
func (g *rig) question(id nod.RequestID) {
	g.Helper()
	later := time.Now().Add(time.Hour)
	g.Ask(nod.Request{
		ID: id, Kind: nod.KindQuestion, Agent: nod.AgentRef{ID: "agent-1", Subagent: &nod.Subagent{ID: "s", Since: later}}, Title: "Which?", Dialog: nod.DialogBeside,
		Questions: []nod.Question{{Text: "Which?", Multi: true, Choices: []nod.Choice{{Label: "a"}, {Label: "b", Description: "the other"}}}},
		Risk:      &nod.Risk{Level: "low"}, ExpiresAt: &later,
		Suggestions: []nod.Suggestion{{Label: "a", Emoji: "🅰", Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which?": {Picked: []string{"a"}}}}}},
	})
}

func TestStreamedEventsAreAsDescribed(t *testing.T) {
	g := newRig(t)
	g.agent("agent-1")
	g.ask("aaaaaaaaaaaaaaaa")
	g.question("question")
	g.ask("withdrawn")
	if w := g.send("POST", "/v1/requests/aaaaaaaaaaaaaaaa/decision", g.token(auth.Paired), `{"verdict":"allow"}`); w.Code != 200 {
		t.Fatal(w.Body)
	}
	g.Report(
		hub.Withdraw("withdrawn", nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasAllowed}),
		hub.Prove("aaaaaaaaaaaaaaaa", nod.Receipt{Step: nod.StepApplied, By: "claude"}))
	g.send("GET", "/v1/tokens", g.token(auth.Paired), "") // refused, and recorded
	schema, err := compiler(t).Compile("openapi.json#/components/schemas/Event")
	if err != nil {
		t.Fatal(err)
	}
	events, err := g.Options.Store.Read(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[nod.EventKind]bool{}
	for _, e := range events {
		kinds[e.Kind] = true
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Body()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v\n%s", e.Kind, err, e.Body())
		}
	}
	if len(kinds) < 8 {
		t.Errorf("only %d kinds of facts were tried: %v", len(kinds), kinds)
	}
}

// described is the description, ready to check answers against.
type described struct {
	*jsonschema.Compiler
	doc any
}

func compiler(t *testing.T) described {
	t.Helper()
	file, err := os.Open("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	forbidMore(doc.(map[string]any)["components"])
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return described{c, doc}
}

// forbidMore makes every object strict: this hub must send nothing that is not described,
// although clients have to accept fields of a newer hub.
func forbidMore(node any) {
	m, ok := node.(map[string]any)
	if !ok {
		return
	}
	if _, more := m["additionalProperties"]; !more && m["type"] == "object" {
		m["additionalProperties"] = false
	}
	for _, child := range m {
		forbidMore(child)
	}
}

// check compares an answer with the description.
func (d described) check(t *testing.T, route string, status int, contentType string, body []byte) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	at := []string{"paths", path, strings.ToLower(method), "responses", fmt.Sprint(status)}
	node, ok := d.doc, true
	for _, step := range at {
		var m map[string]any
		if m, ok = node.(map[string]any); ok {
			node, ok = m[step]
		}
		if !ok {
			t.Errorf("%s: %d is not described", route, status)
			return
		}
	}
	content, _ := node.(map[string]any)["content"].(map[string]any)
	if content == nil {
		if len(body) > 0 {
			t.Errorf("%s: %d should be empty, not %s", route, status, body)
		}
		return
	}
	kind, _, _ := mime.ParseMediaType(contentType)
	if content[kind] == nil {
		t.Errorf("%s: %d came as %s", route, status, contentType)
		return
	}
	if kind != "application/json" {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1").Replace
	pointer := "openapi.json#"
	for _, step := range append(at, "content", kind, "schema") {
		pointer += "/" + escape(step)
	}
	schema, err := d.Compile(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		t.Errorf("%s: %v", route, err)
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Errorf("%s: %v", route, err)
		return
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %d: %v\n%s", route, status, err, body)
	}
}
