package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"nod"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

// converse opens a conversation through the client.
func (g *rig) converse(id nod.AgentID) *client.Client {
	g.Helper()
	c := g.device(auth.Paired)
	if _, err := c.Open(g.Context(), v1.NewConversation{ID: id}); err != nil {
		g.Fatal(err)
	}
	return c
}

func TestAConversationThroughTheClient(t *testing.T) {
	g := newRig(t)
	c := g.device(auth.Paired)
	list, err := c.Assistants(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "jarvis" || list[0].About != "knows the house" {
		t.Fatalf("Assistants: %+v, %v", list, err)
	}
	for range 2 { // the second time it is the same one
		a, err := c.Open(t.Context(), v1.NewConversation{ID: "c-kitchen", Room: "kitchen", User: "anna", Context: 300})
		if err != nil || a.Talk == nil || a.Talk.Assistant != "jarvis" || a.Talk.Language != "pl" || a.Talk.Room != "kitchen" || a.Talk.User != "anna" || a.Talk.Context != 300 {
			t.Fatalf("Open: %+v, %v", a, err)
		}
	}
	unnamed, err := c.Open(t.Context(), v1.NewConversation{Assistant: "coder"})
	if err != nil || len(unnamed.ID) < 20 || unnamed.Name != "coder" {
		t.Errorf("the hub chooses an id: %+v, %v", unnamed, err)
	}
	if agents, err := c.Agents(t.Context()); err != nil || len(agents) != 2 {
		t.Errorf("there are %d conversations, %v", len(agents), err)
	}
	if _, err := c.Say(t.Context(), "c-kitchen", v1.NewMessage{ID: "message-1", Text: "cześć"}); err != nil {
		t.Errorf("Say: %v", err)
	}
	if err := c.Leave(t.Context(), "c-kitchen"); err != nil {
		t.Errorf("Leave: %v", err)
	}
	if a, err := c.Agent(t.Context(), "c-kitchen"); err != nil || a.Alive() {
		t.Errorf("afterwards it is %+v, %v", a, err)
	}
	if err := c.Leave(t.Context(), "nobody"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("leaving nobody: %v", err)
	}
}

func TestTheDraftOnTheWire(t *testing.T) {
	g := newRig(t)
	g.converse("c-kitchen")
	g.Link.Draft("c-kitchen", "message-1", "Świeci")
	res, next := g.stream("/v1/agents/c-kit/draft", g.token(nod.RightsOf(nod.View)))
	if got := res.Header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	schema, err := compiler(t).Compile("openapi.json#/components/schemas/Draft")
	if err != nil {
		t.Fatal(err)
	}
	next() // retry
	sees := func(want string) {
		t.Helper()
		got := next()
		if got != "event: piece\ndata: "+want+"\n" {
			t.Errorf("got %q, want %s", got, want)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(want)))
		if err != nil || schema.Validate(v) != nil {
			t.Errorf("%s is not as described: %v %v", want, err, schema.Validate(v))
		}
	}
	sees(`{"agent":"c-kitchen","message":"message-1","at":0,"text":"Świeci"}`)
	g.Link.Draft("c-kitchen", "message-1", " się.\r\n")
	sees(`{"agent":"c-kitchen","message":"message-1","at":7,"text":" się.\r\n"}`)
	g.Link.DraftOver("c-kitchen")
	sees(`{"agent":"c-kitchen","message":"message-1","at":15,"over":true}`)
}

func TestTheClientReadsDraftsUntilItsTokenIsRevoked(t *testing.T) {
	g := newRig(t)
	c := g.converse("c-kitchen")
	g.Link.Draft("c-kitchen", "message-1", "It is")
	var got strings.Builder
	for d, err := range c.Drafts(t.Context(), "c-kitchen") {
		switch {
		case err != nil:
			if nod.CodeOf(err) != nod.Unauthorized {
				t.Errorf("it ended with %v", err)
			}
		case d.Over:
			got.WriteString("|")
			tokens, _ := g.web.Credentials.List(t.Context())
			if err := g.web.Credentials.Revoke(t.Context(), tokens[0].ID); err != nil {
				t.Error(err)
			}
		case d.At == 0:
			got.WriteString(d.Text)
			g.Link.Draft("c-kitchen", "message-1", " on.")
		default:
			got.WriteString(d.Text)
			g.Link.DraftOver("c-kitchen")
		}
	}
	if got.String() != "It is on.|" {
		t.Errorf("read %q", got.String())
	}
}

func TestDraftsEndWithTheReader(t *testing.T) {
	g := newRig(t)
	c := g.converse("c-kitchen")
	g.Link.Draft("c-kitchen", "message-1", "x")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range c.Drafts(ctx, "c-kitchen") {
		if err != nil {
			t.Errorf("whoever goes is told nothing: %v", err)
		}
		cancel()
	}
	for _, err := range c.Drafts(t.Context(), "nobody") {
		if nod.CodeOf(err) != nod.NotFound {
			t.Errorf("nobody writes: %v", err)
		}
	}
}

func TestAHubWithoutAssistants(t *testing.T) {
	g := newRigWith(t, nil)
	token := g.token(auth.Paired)
	if got := strings.TrimSpace(g.send("GET", "/v1/assistants", token, "").Body.String()); got != `{"assistants":[]}` {
		t.Errorf("the list is %s", got)
	}
	w := g.send("POST", "/v1/agents", token, `{}`)
	checkFailure(t, w.Code, w.Header(), w.Body.Bytes(), http.StatusServiceUnavailable, "no assistant")
	compiler(t).check(t, "POST /v1/agents", w.Code, w.Header().Get("Content-Type"), w.Body.Bytes())
}

// The web app offers only what the caller may do; asking is not recorded as an attempt.
func TestMeSaysWhetherAConversationCanBeOpened(t *testing.T) {
	for _, tt := range []struct {
		who    []nod.Assistant
		rights nod.Rights
		want   bool
	}{
		{twoAssistants, auth.Paired, true},
		{twoAssistants, nod.RightsOf(nod.View), false},
		{twoAssistants, nod.RightsOf(nod.Answering), false},
		{nil, auth.Paired, false},
	} {
		g := newRigWith(t, tt.who)
		before, _ := g.Hub.Head()
		var me struct{ Open bool }
		if err := json.Unmarshal(g.send("GET", "/v1/me", g.token(tt.rights), "").Body.Bytes(), &me); err != nil || me.Open != tt.want {
			t.Errorf("%d assistants and %s: open is %t, %v", len(tt.who), tt.rights, me.Open, err)
		}
		if after, _ := g.Hub.Head(); after != before {
			t.Errorf("asking who one is was recorded as %d facts", after-before)
		}
	}
}

func TestWrongConversations(t *testing.T) {
	g := newRig(t)
	token := g.token(auth.Paired)
	for body, says := range map[string]string{
		`{"context":-1}`:                              "seconds from 0",
		`{"context":9223372036}`:                      "seconds from 0",
		`{"id":"with blanks in it"}`:                  "letters, digits and dashes",
		`{"name":"two\nlines"}`:                       "one line",
		`{"hints":"be rude"}`:                         `unknown field "hints"`,
		`{"user":"` + strings.Repeat("x", 101) + `"}`: "100 characters",
	} {
		w := g.send("POST", "/v1/agents", token, body)
		checkFailure(t, w.Code, w.Header(), w.Body.Bytes(), http.StatusBadRequest, says)
	}
	if w := g.send("HEAD", "/v1/agents/nobody/draft", token, ""); w.Code != http.StatusNotFound {
		t.Errorf("HEAD of nobody's draft: %d", w.Code)
	}
}

// A whole turn as a client sees it: pieces while it is written, the answer in the log,
// and nothing twice when the message is sent again.
func TestATurnSeenFromTheClient(t *testing.T) {
	g := newRig(t)
	c := g.converse("c-kitchen")
	before, _ := g.Hub.Head()
	for range 2 {
		if _, err := c.Say(t.Context(), "c-kitchen", v1.NewMessage{ID: "message-1", Text: "is the light on?"}); err != nil {
			t.Fatal(err)
		}
	}
	g.Report(hub.Said(nod.Turn{Agent: "c-kitchen", Role: nod.TurnPerson, Text: "is the light on?", To: "message-1"}))
	g.Report(hub.Said(nod.Turn{Agent: "c-kitchen", Role: nod.TurnAgent, Text: "It is on.", To: "message-1"}))
	var heard []string
	for e, err := range c.Follow(t.Context(), before) {
		if err != nil {
			t.Fatal(err)
		}
		heard = append(heard, string(e.Kind))
		if e.Turn != nil && e.Turn.Role == nod.TurnAgent {
			if e.Turn.To != "message-1" || e.Turn.Text != "It is on." {
				t.Errorf("the answer is %+v", e.Turn)
			}
			break
		}
	}
	if got := fmt.Sprint(heard); strings.Count(got, string(nod.MessageSaid)) != 1 {
		t.Errorf("it was said more than once: %s", got)
	}
}
