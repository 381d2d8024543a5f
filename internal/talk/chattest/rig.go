// Package chattest is for tests: a hub behind a surface for programs that keep their
// conversations themselves, and an assistant whose messages are its script.
package chattest

import (
	"bufio"
	"context"
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
	"nod/internal/net/httpd"
	"nod/internal/surface/transcript"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// talking is the rights needed to talk to an assistant.
var talking = nod.RightsOf(nod.View, nod.Answering)

// Rig is a hub with one surface.
type Rig struct {
	Routes []httpd.Route
	Steps  chan string // what the messages "wait" and "break" wait for

	*hubtest.Rig
	client string
	web    *hubtest.Web
}

// Open makes the routes of a surface; its clock stands still.
type Open func(d adapter.Deps, chats *talk.Chats) []httpd.Route

// New is a hub with a client of that name.
func New(t *testing.T, client string, change func(*talk.ChatOptions), open Open) *Rig {
	t.Helper()
	options := hub.Options{Proof: []string{"network"}, Assistants: []nod.Assistant{
		{Name: "house", Kind: "claude", About: "Knows the house.", Model: "small"}, {Name: "dom", Kind: "claude", Language: "pl"}, {Name: "ie", Kind: "claude", Language: "ja"},
	}}
	g := &Rig{Rig: hubtest.New(t, hubtest.Options{Options: options}), Steps: make(chan string), client: client}
	scripted.New(t, g.Hub, g.script)
	o := talk.ChatOptions{Asker: talk.New(g.Deps(), 0), Context: 5 * time.Minute, While: httpd.WhileServing}
	if change != nil {
		change(&o)
	}
	d := adapter.Deps{Deps: g.Deps(), Version: "1.2.3"}
	d.Now = func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) }
	g.Routes = open(d, talk.NewChats(o))
	g.web = g.Serve(g.Routes...)
	return g
}

// untyped removes the type of the body, as these clients do.
func untyped(r *http.Request) { r.Header.Del("Content-Type") }

func (g *Rig) send(method, path, token, body string) *httptest.ResponseRecorder {
	return g.web.Send(method, path, token, body, untyped)
}

// Post sends a question of the client.
func (g *Rig) Post(path, body string) *httptest.ResponseRecorder {
	return g.send("POST", path, g.web.Token(g.client, talking), body)
}

// Play sends a step of a transcript, optionally with "rights: view". The result has one
// line per line of the response; a single object is indented.
func (g *Rig) Play(s transcript.Step) string {
	r := s.Request()
	rights := talking
	if list, ok := r.Take("rights"); ok {
		var err error
		if rights, err = nod.ParseRights(list); err != nil {
			g.Fatal(err)
		}
	}
	w := g.send(r.Method, r.Path, g.web.Token(g.client, rights), r.Body)
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	body := w.Body.String()
	if kind == "application/json" {
		body = transcript.Indented(w.Body.Bytes())
	}
	return fmt.Sprintf("%d %s\n%s", w.Code, kind, body)
}

// Stream asks over a real connection and returns the lines of the answer one by one.
func (g *Rig) Stream(ctx context.Context, path, body string) func() (line string, more bool) {
	g.Helper()
	server := httptest.NewServer(g.web)
	g.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+path, strings.NewReader(body))
	if err != nil {
		g.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.web.Token(g.client, talking))
	answered := make(chan *bufio.Scanner)
	go func() {
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			g.Error(err)
			close(answered)
			return
		}
		g.Cleanup(func() { _ = res.Body.Close() })
		answered <- bufio.NewScanner(res.Body)
	}()
	var lines *bufio.Scanner
	return func() (string, bool) {
		if lines == nil {
			if lines = <-answered; lines == nil {
				g.Fatal("there was no answer")
			}
		}
		more := lines.Scan()
		return lines.Text(), more
	}
}

// Replied waits until the assistant's answer is in the log.
func (g *Rig) Replied() {
	g.Helper()
	g.Await(func(e *nod.Event) bool { return e.Turn != nil && e.Turn.Role == nod.TurnAgent })
}

// Takes checks that a route needs one right.
func (g *Rig) Takes(needs nod.Right, rt httpd.Route, path string) {
	g.Helper()
	if rt.Right != needs || rt.Open || rt.CrossSite {
		g.Errorf("%s %s is open to %v", rt.Method, rt.Path, rt.Right)
	}
	for _, token := range []string{"", "nod_wrong"} {
		if w := g.send(rt.Method, path, token, `{"model":"house"}`); w.Code != http.StatusUnauthorized {
			g.Errorf("%s %s with token %q: %d", rt.Method, rt.Path, token, w.Code)
		}
	}
	for _, has := range []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin} {
		w := g.send(rt.Method, path, g.web.Token("one right", nod.RightsOf(has)), `{"model":"house"}`)
		if forbidden := w.Code == http.StatusForbidden; forbidden != (has != needs || needs == nod.Answering) {
			g.Errorf("%s %s with %v alone: %d", rt.Method, rt.Path, has, w.Code) // talking needs the right to view as well
		}
	}
}
