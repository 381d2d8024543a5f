package openai

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	"nod/internal/converse"
)

func TestEveryRouteTakesARight(t *testing.T) {
	g := newRig(t, nil)
	for _, rt := range g.routes {
		needs := nod.View
		if rt.Method == "POST" {
			needs = nod.Answering
		}
		path := strings.Replace(rt.Path, "{id}", "house", 1)
		if rt.Right != needs || rt.Open || rt.CrossSite {
			t.Errorf("%s %s is open to %v", rt.Method, rt.Path, rt.Right)
		}
		if !Door(path) || Door("/v1/state") || Door("/v1/modelsx") {
			t.Errorf("%s is no door of its own", rt.Path)
		}
		for _, token := range []string{"", "nod_wrong"} {
			if w := g.send(rt.Method, path, token, `{"model":"house"}`); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s with token %q: %d", rt.Method, rt.Path, token, w.Code)
			}
		}
		for _, has := range []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin} {
			w := g.send(rt.Method, path, g.token("one right", nod.RightsOf(has)), `{"model":"house"}`)
			if forbidden := w.Code == http.StatusForbidden; forbidden != (has != needs || needs == nod.Answering) {
				t.Errorf("%s %s with %v alone: %d", rt.Method, rt.Path, has, w.Code) // to speak takes to see as well
			}
		}
	}
}

// stream opens an answer over a real connection and gives its events one by one.
func (g *rig) stream(ctx context.Context, path, body string) func() event {
	g.t.Helper()
	server := httptest.NewServer(g.mux)
	g.t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token("chat program", talking))
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
	return func() (e event) {
		if lines == nil {
			if lines = <-answered; lines == nil {
				g.t.Fatal("there was no answer")
			}
		}
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			switch {
			case data == "[DONE]":
				return event{over: true}
			case ok:
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					g.t.Errorf("%v: %s", err, data)
				}
				return e
			}
		}
		return event{}
	}
}

// event is one of a stream.
type event struct {
	completion
	failure
	over bool // [DONE]
}

func (e event) says() string {
	if len(e.Choices) == 0 || e.Choices[0].Delta == nil {
		return ""
	}
	return e.Choices[0].Delta.Content
}

func TestPiecesComeAsTheyAreWritten(t *testing.T) {
	g := newRig(t, nil)
	next := g.stream(t.Context(), "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"wait"}]}`)
	for i, piece := range []string{"It is ", "twenty-one ", "degrees."} {
		g.steps <- piece
		if i == 0 {
			if got := next(); len(got.Choices) != 1 || got.Choices[0].Delta.Role != "assistant" {
				t.Fatalf("it began with %+v", got)
			}
		}
		if got := next(); got.says() != piece {
			t.Fatalf("%q came as %+v", piece, got)
		}
	}
	g.steps <- "end"
	for got := next(); !got.over; got = next() {
		if len(got.Choices) == 0 {
			t.Fatal("the answer has no end")
		}
	}
}

// Who hangs up ends nothing: the answer is in the log, and the next question
// knows it.
func TestWhoHangsUpEndsNothing(t *testing.T) {
	g := newRig(t, nil)
	ctx, hangUp := context.WithCancel(t.Context())
	next := g.stream(ctx, "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"wait"}]}`)
	g.steps <- "Half"
	next()
	hangUp()
	g.steps <- " and half"
	g.steps <- "end"
	for e, err := range g.hub.Desk(nod.Actor{Rights: talking}).Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Turn != nil && e.Turn.Role == nod.Replied {
			return
		}
	}
}

func TestALargeBodyIsRefused(t *testing.T) {
	g := newRig(t, nil)
	body := `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 1<<20) + `"}]}`
	w := g.send("POST", "/v1/chat/completions", g.token("chat program", talking), body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `{"error":{"message":"the body is larger than`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	body = `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 100_001) + `"}]}`
	w = g.send("POST", "/v1/chat/completions", g.token("chat program", talking), body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "100000 is the most") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

func TestAskingTooOftenSaysWhenToComeBack(t *testing.T) {
	g := newRig(t, func(o *converse.ChatOptions) { o.Rate = 1 })
	ask := func() *httptest.ResponseRecorder {
		return g.send("POST", "/v1/chat/completions", g.token("chat program", talking), `{"model":"house","messages":[{"role":"user","content":"hello"}]}`)
	}
	if w := ask(); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := ask(); w.Code != http.StatusTooManyRequests || w.Header().Get("X-Should-Retry") != "" || w.Header().Get("Retry-After") != "60" || !strings.Contains(w.Body.String(), `"code":"rate_limit_exceeded"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// Trouble in the middle of an answer is an event.
func TestTroubleInTheMiddleIsAnEvent(t *testing.T) {
	g := newRig(t, nil)
	next := g.stream(t.Context(), "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"break"}]}`)
	g.steps <- "Half"
	if next(); next().says() != "Half" {
		t.Fatal("the first half is missing")
	}
	g.steps <- "end"
	if got := next(); got.Error.Type != "server_error" || *got.Error.Code != "crash" || got.Error.Message == "" {
		t.Errorf("%+v", got.Error)
	}
	if !next().over {
		t.Error("the stream has no end")
	}
}
