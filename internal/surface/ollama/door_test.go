package ollama

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
		if rt.Path == "/api/chat" || rt.Path == "/api/generate" {
			needs = nod.Answering
		}
		if rt.Right != needs || rt.Open || rt.CrossSite {
			t.Errorf("%s %s is open to %v", rt.Method, rt.Path, rt.Right)
		}
		if !Door(rt.Path) || Door(rt.Path+"x") {
			t.Errorf("%s is no door of its own", rt.Path)
		}
		for _, token := range []string{"", "nod_wrong"} {
			if w := g.send(rt.Method, rt.Path, token, `{"model":"house"}`); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s with token %q: %d", rt.Method, rt.Path, token, w.Code)
			}
		}
		for _, has := range []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin} {
			w := g.send(rt.Method, rt.Path, g.token("one right", nod.RightsOf(has)), `{"model":"house"}`)
			if forbidden := w.Code == http.StatusForbidden; forbidden != (has != needs || needs == nod.Answering) {
				t.Errorf("%s %s with %v alone: %d", rt.Method, rt.Path, has, w.Code) // to speak takes to see as well
			}
		}
	}
}

// seen is a line as a client reads it.
type seen struct {
	Message *message `json:"message"`
	Done    bool     `json:"done"`
	Reason  string   `json:"done_reason"`
	Total   *int64   `json:"total_duration"`
	Error   string   `json:"error"`
}

// stream opens an answer over a real connection and gives its lines one by one.
func (g *rig) stream(ctx context.Context, path, body string) func() seen {
	g.t.Helper()
	server := httptest.NewServer(g.mux)
	g.t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token("Home Assistant", talking))
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
	return func() (c seen) {
		if lines == nil {
			if lines = <-answered; lines == nil {
				g.t.Fatal("there was no answer")
			}
		}
		if lines.Scan() {
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				g.t.Errorf("%v: %s", err, lines.Bytes())
			}
		}
		return c
	}
}

func TestPiecesComeAsTheyAreWritten(t *testing.T) {
	g := newRig(t, nil)
	next := g.stream(t.Context(), "/api/chat", `{"model":"house","messages":[{"role":"user","content":"wait"}]}`)
	for _, piece := range []string{"It is ", "twenty-one ", "degrees."} {
		g.steps <- piece
		if got := next(); got.Message == nil || got.Message.Content != piece || got.Message.Role != "assistant" || got.Done {
			t.Fatalf("%q came as %+v", piece, got)
		}
	}
	g.steps <- "end"
	for got := next(); ; got = next() {
		if got.Done && got.Reason == "stop" && got.Total != nil {
			break
		}
		if got.Message == nil {
			t.Fatal("the answer has no end")
		}
	}
}

// Who hangs up ends nothing: the answer is in the log, and the next question
// knows it.
func TestWhoHangsUpEndsNothing(t *testing.T) {
	g := newRig(t, nil)
	ctx, hangUp := context.WithCancel(t.Context())
	next := g.stream(ctx, "/api/chat", `{"model":"house","messages":[{"role":"user","content":"wait"}]}`)
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
	w := g.send("POST", "/api/chat", g.token("Home Assistant", talking), body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `{"error":"the body is larger than`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	body = `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 100_001) + `"}]}`
	w = g.send("POST", "/api/chat", g.token("Home Assistant", talking), body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "100000 is the most") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

func TestAskingTooOftenSaysWhenToComeBack(t *testing.T) {
	g := newRig(t, func(o *converse.ChatOptions) { o.Rate = 1 })
	ask := func() *httptest.ResponseRecorder {
		return g.send("POST", "/api/chat", g.token("Home Assistant", talking), `{"model":"house","messages":[{"role":"user","content":"hello"}]}`)
	}
	if w := ask(); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := ask(); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "60" || !strings.Contains(w.Body.String(), "1 questions a minute") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// Trouble in the middle of an answer is its last line.
func TestTroubleInTheMiddleIsALine(t *testing.T) {
	g := newRig(t, nil)
	next := g.stream(t.Context(), "/api/chat", `{"model":"house","messages":[{"role":"user","content":"break"}]}`)
	g.steps <- "Half"
	if got := next(); got.Message == nil || got.Message.Content != "Half" {
		t.Fatalf("%+v", got)
	}
	g.steps <- "end"
	if got := next(); got.Error == "" || got.Done || got.Message != nil {
		t.Errorf("%+v", got)
	}
}
