package ollama

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	"nod/internal/talk"
	"nod/internal/talk/chattest"
)

func TestEveryRouteNeedsARight(t *testing.T) {
	g := newRig(t, nil)
	for _, rt := range g.Routes {
		needs := nod.View
		if rt.Path == "/api/chat" || rt.Path == "/api/generate" {
			needs = nod.Answering
		}
		g.Takes(needs, rt, rt.Path)
		if !Serves(rt.Path) || Serves(rt.Path+"x") {
			t.Errorf("%s is no door of its own", rt.Path)
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

// listen opens an answer over a real connection and gives its lines one by one.
func listen(ctx context.Context, t *testing.T, g *chattest.Rig, path, body string) func() seen {
	next := g.Stream(ctx, path, body)
	return func() (c seen) {
		if line, more := next(); more {
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
		return c
	}
}

func TestPiecesAreSentAsTheyAreWritten(t *testing.T) {
	g := newRig(t, nil)
	next := listen(t.Context(), t, g, "/api/chat", `{"model":"house","messages":[{"role":"user","content":"wait"}]}`)
	for _, piece := range []string{"It is ", "twenty-one ", "degrees."} {
		g.Steps <- piece
		if got := next(); got.Message == nil || got.Message.Content != piece || got.Message.Role != "assistant" || got.Done {
			t.Fatalf("%q came as %+v", piece, got)
		}
	}
	g.Steps <- "end"
	for got := next(); ; got = next() {
		if got.Done && got.Reason == "stop" && got.Total != nil {
			break
		}
		if got.Message == nil {
			t.Fatal("the answer has no end")
		}
	}
}

// A closed connection does not end a question: the answer is in the log, and the next
// question builds on it.
func TestQuestionSurvivesItsConnection(t *testing.T) {
	g := newRig(t, nil)
	ctx, hangUp := context.WithCancel(t.Context())
	next := listen(ctx, t, g, "/api/chat", `{"model":"house","messages":[{"role":"user","content":"wait"}]}`)
	g.Steps <- "Half"
	next()
	hangUp()
	g.Steps <- " and half"
	g.Steps <- "end"
	g.Replied()
}

func TestLargeBodyIsRefused(t *testing.T) {
	g := newRig(t, nil)
	body := `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 1<<20) + `"}]}`
	w := g.Post("/api/chat", body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `{"error":"the body is larger than`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	body = `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 100_001) + `"}]}`
	w = g.Post("/api/chat", body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "100000 is the most") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

func TestRateLimitSaysWhenToRetry(t *testing.T) {
	g := newRig(t, func(o *talk.ChatOptions) { o.Rate = 1 })
	ask := func() *httptest.ResponseRecorder {
		return g.Post("/api/chat", `{"model":"house","messages":[{"role":"user","content":"hello"}]}`)
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
	next := listen(t.Context(), t, g, "/api/chat", `{"model":"house","messages":[{"role":"user","content":"break"}]}`)
	g.Steps <- "Half"
	if got := next(); got.Message == nil || got.Message.Content != "Half" {
		t.Fatalf("%+v", got)
	}
	g.Steps <- "end"
	if got := next(); got.Error == "" || got.Done || got.Message != nil {
		t.Errorf("%+v", got)
	}
}
