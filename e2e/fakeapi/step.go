package fakeapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"strconv"
	"time"
)

// Step is one reply of the model. Steps are values: the With… methods return a changed copy.
type Step struct {
	text    string
	calls   []Call
	status  int // 0 for a reply that succeeds
	kind    string
	headers map[string]string
	delay   time.Duration
	held    <-chan struct{}
}

// Call is one tool_use block.
type Call struct {
	ID    string // unique by default, so a test can wait for its result; set it to choose your own
	Name  string
	Input any
}

// Tool is a call of any tool, with an id of its own.
func Tool(name string, input any) Call {
	return Call{ID: "toolu_" + rand.Text(), Name: name, Input: input}
}

// Bash is a call of the Bash tool.
func Bash(command string) Call {
	return Tool("Bash", map[string]any{"command": command, "description": "run it"})
}

// Say ends the turn with text.
func Say(text string) Step { return Step{text: text} }

// Use calls tools, all in one reply.
func Use(calls ...Call) Step { return Step{calls: calls} }

// Fail answers with an HTTP error; kind is the API's error type, e.g. "authentication_error".
func Fail(status int, kind, message string) Step {
	return Step{status: status, kind: kind, text: message}
}

// RateLimited is the 429 of a used-up subscription window.
func RateLimited(resets time.Time) Step {
	epoch := strconv.FormatInt(resets.Unix(), 10)
	return Fail(http.StatusTooManyRequests, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later.").
		WithHeader("retry-after", strconv.Itoa(max(1, int(time.Until(resets).Seconds())))).
		WithHeader("anthropic-ratelimit-unified-status", "rejected").
		WithHeader("anthropic-ratelimit-unified-reset", epoch).
		WithHeader("anthropic-ratelimit-unified-representative-claim", "five_hour").
		WithHeader("anthropic-ratelimit-unified-5h-status", "rejected").
		WithHeader("anthropic-ratelimit-unified-5h-reset", epoch).
		WithHeader("anthropic-ratelimit-unified-5h-utilization", "1.0")
}

// Overloaded is the 529 of a busy API.
func Overloaded() Step { return Fail(529, "overloaded_error", "Overloaded") }

// WithText puts text before the tool calls.
func (s Step) WithText(text string) Step { s.text = text; return s }

// WithHeader adds a response header, to successes too.
func (s Step) WithHeader(name, value string) Step {
	headers := map[string]string{name: value}
	for n, v := range s.headers {
		if n != name {
			headers[n] = v
		}
	}
	s.headers = headers
	return s
}

// After delays the model's reply by d.
func (s Step) After(d time.Duration) Step { s.delay = d; return s }

// Until delays the model's reply until the test closes release: no guessing how long.
func (s Step) Until(release <-chan struct{}) Step { s.held = release; return s }

func (s Step) fails() bool { return s.status != 0 }

func (s Step) ready(ctx context.Context) bool {
	if s.held != nil {
		select {
		case <-s.held:
		case <-ctx.Done():
			return false
		}
	}
	if s.delay == 0 {
		return true
	}
	select {
	case <-time.After(s.delay):
		return true
	case <-ctx.Done():
		return false
	}
}
