// Package doortest is for tests alone: a hub behind a door for programs that keep
// their conversations themselves, and an assistant who does what its words say.
package doortest

import (
	"bufio"
	"context"
	"fmt"
	"io"
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
	"nod/internal/surface/transcript"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// talking is what it takes to speak to an assistant.
var talking = nod.RightsOf(nod.View, nod.Answering)

// Rig is a hub with one door.
type Rig struct {
	Routes []httpd.Route
	Steps  chan string // what the words "wait" and "break" wait for

	t      *testing.T
	hub    *hub.Hub
	client string
	keeper *auth.Credentials
	mux    http.Handler
	tokens map[string]string
}

// Open makes the routes of a door, for which it is always the same time.
type Open func(h *hub.Hub, chats *talk.Chats, now time.Time) []httpd.Route

// New is a hub that a client of that name speaks to.
func New(t *testing.T, client string, change func(*talk.ChatOptions), open Open) *Rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test", Proof: []string{"network"}, Assistants: []nod.Assistant{
		{Name: "house", Kind: "claude", About: "Knows the house.", Model: "small"}, {Name: "dom", Kind: "claude", Language: "pl"}, {Name: "ie", Kind: "claude", Language: "ja"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &Rig{t: t, hub: h, Steps: make(chan string), client: client, keeper: auth.NewCredentials(store, nil, nil), tokens: map[string]string{}}
	scripted.New(t, h, g.script)
	o := talk.ChatOptions{Asker: talk.New(talk.Options{Hub: h}), Context: 5 * time.Minute, While: httpd.WhileServing}
	if change != nil {
		change(&o)
	}
	g.Routes = open(h, talk.NewChats(o), time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC))
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, slog.New(slog.DiscardHandler), g.Routes...)
	return g
}

func (g *Rig) token(name string, rights nod.Rights) string {
	g.t.Helper()
	key := name + rights.String()
	if known, ok := g.tokens[key]; ok {
		return known
	}
	by := nod.Actor{Name: "test", Rights: nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)}
	s, _, err := g.keeper.Create(g.t.Context(), by, name, rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	g.tokens[key] = s.Reveal()
	return g.tokens[key]
}

// send plays one request without a network.
func (g *Rig) send(method, path, token, body string) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, path, in)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

// Post sends what the client asks.
func (g *Rig) Post(path, body string) *httptest.ResponseRecorder {
	return g.send("POST", path, g.token(g.client, talking), body)
}

// Play sends a step of a transcript, perhaps with "rights: view". What comes back is
// line by line, a single object with every field on its own.
func (g *Rig) Play(s transcript.Step) string {
	r := s.Request()
	rights := talking
	if list, ok := r.Take("rights"); ok {
		var err error
		if rights, err = nod.ParseRights(list); err != nil {
			g.t.Fatal(err)
		}
	}
	w := g.send(r.Method, r.Path, g.token(g.client, rights), r.Body)
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	body := w.Body.String()
	if kind == "application/json" {
		body = transcript.Indented(w.Body.Bytes())
	}
	return fmt.Sprintf("%d %s\n%s", w.Code, kind, body)
}

// Stream asks over a real connection and gives the lines of the answer one by one.
func (g *Rig) Stream(ctx context.Context, path, body string) func() (line string, more bool) {
	g.t.Helper()
	server := httptest.NewServer(g.mux)
	g.t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token(g.client, talking))
	answered := make(chan *bufio.Scanner)
	go func() {
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			g.t.Error(err)
			close(answered)
			return
		}
		g.t.Cleanup(func() { _ = res.Body.Close() })
		answered <- bufio.NewScanner(res.Body)
	}()
	var lines *bufio.Scanner
	return func() (string, bool) {
		if lines == nil {
			if lines = <-answered; lines == nil {
				g.t.Fatal("there was no answer")
			}
		}
		more := lines.Scan()
		return lines.Text(), more
	}
}

// Replied waits until the assistant's answer is in the log.
func (g *Rig) Replied() {
	g.t.Helper()
	for e, err := range g.hub.Desk(nod.Actor{Rights: talking}).Follow(g.t.Context(), 0) {
		if err != nil {
			g.t.Fatal(err)
		}
		if e.Turn != nil && e.Turn.Role == nod.TurnAgent {
			return
		}
	}
}

// Takes checks that a route is for those with one right, and nobody else.
func (g *Rig) Takes(needs nod.Right, rt httpd.Route, path string) {
	g.t.Helper()
	if rt.Right != needs || rt.Open || rt.CrossSite {
		g.t.Errorf("%s %s is open to %v", rt.Method, rt.Path, rt.Right)
	}
	for _, token := range []string{"", "nod_wrong"} {
		if w := g.send(rt.Method, path, token, `{"model":"house"}`); w.Code != http.StatusUnauthorized {
			g.t.Errorf("%s %s with token %q: %d", rt.Method, rt.Path, token, w.Code)
		}
	}
	for _, has := range []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin} {
		w := g.send(rt.Method, path, g.token("one right", nod.RightsOf(has)), `{"model":"house"}`)
		if forbidden := w.Code == http.StatusForbidden; forbidden != (has != needs || needs == nod.Answering) {
			g.t.Errorf("%s %s with %v alone: %d", rt.Method, rt.Path, has, w.Code) // to speak takes to see as well
		}
	}
}
