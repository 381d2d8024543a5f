package openai

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
		if rt.Method == "POST" {
			needs = nod.Answering
		}
		path := strings.Replace(rt.Path, "{id}", "house", 1)
		g.Takes(needs, rt, path)
		if !Serves(path) || Serves("/v1/state") || Serves("/v1/modelsx") {
			t.Errorf("%s is no door of its own", rt.Path)
		}
	}
}

// listen opens an answer over a real connection and gives its events one by one.
func listen(ctx context.Context, t *testing.T, g *chattest.Rig, path, body string) func() event {
	next := g.Stream(ctx, path, body)
	return func() (e event) {
		for line, more := next(); more; line, more = next() {
			data, ok := strings.CutPrefix(line, "data: ")
			switch {
			case data == "[DONE]":
				return event{over: true}
			case ok:
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					t.Errorf("%v: %s", err, data)
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

func TestPiecesAreSentAsTheyAreWritten(t *testing.T) {
	g := newRig(t, nil)
	next := listen(t.Context(), t, g, "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"wait"}]}`)
	for i, piece := range []string{"It is ", "twenty-one ", "degrees."} {
		g.Steps <- piece
		if i == 0 {
			if got := next(); len(got.Choices) != 1 || got.Choices[0].Delta.Role != "assistant" {
				t.Fatalf("it began with %+v", got)
			}
		}
		if got := next(); got.says() != piece {
			t.Fatalf("%q came as %+v", piece, got)
		}
	}
	g.Steps <- "end"
	for got := next(); !got.over; got = next() {
		if len(got.Choices) == 0 {
			t.Fatal("the answer has no end")
		}
	}
}

// A closed connection does not end a question: the answer is in the log, and the next
// question builds on it.
func TestQuestionSurvivesItsConnection(t *testing.T) {
	g := newRig(t, nil)
	ctx, hangUp := context.WithCancel(t.Context())
	next := listen(ctx, t, g, "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"wait"}]}`)
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
	w := g.Post("/v1/chat/completions", body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), `{"error":{"message":"the body is larger than`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	body = `{"model":"house","messages":[{"role":"user","content":"` + strings.Repeat("a", 100_001) + `"}]}`
	w = g.Post("/v1/chat/completions", body)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "100000 is the most") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}

func TestRateLimitSaysWhenToRetry(t *testing.T) {
	g := newRig(t, func(o *talk.ChatOptions) { o.Rate = 1 })
	ask := func() *httptest.ResponseRecorder {
		return g.Post("/v1/chat/completions", `{"model":"house","messages":[{"role":"user","content":"hello"}]}`)
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
	next := listen(t.Context(), t, g, "/v1/chat/completions", `{"model":"house","stream":true,"messages":[{"role":"user","content":"break"}]}`)
	g.Steps <- "Half"
	if next(); next().says() != "Half" {
		t.Fatal("the first half is missing")
	}
	g.Steps <- "end"
	if got := next(); got.Error.Type != "server_error" || *got.Error.Code != "crash" || got.Error.Message == "" {
		t.Errorf("%+v", got.Error)
	}
	if !next().over {
		t.Error("the stream has no end")
	}
}
