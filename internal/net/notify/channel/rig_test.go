package channel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/net/notify"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// far is a fake service: it records calls in the form "METHOD /path body", and answers
// like the recorded service.
type far struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []string
	heads  []http.Header
	answer func(call string) (status int, body string)
}

func newFar(t *testing.T, answer func(call string) (int, string)) *far {
	t.Helper()
	f := &far{answer: answer}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		call := strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body))
		f.mu.Lock()
		f.calls = append(f.calls, call)
		f.heads = append(f.heads, r.Header.Clone())
		f.mu.Unlock()
		status, text := f.answer(call)
		if after, ok := strings.CutPrefix(text, "after "); ok {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(f.Close)
	return f
}

func always(status int, body string) func(string) (int, string) {
	return func(string) (int, string) { return status, body }
}

func (f *far) make(t *testing.T, s Settings) notify.Sender {
	t.Helper()
	if s.URL == "" {
		s.URL = f.URL
	}
	sender, err := New(s, Outside{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// wants checks the calls so far.
func (f *far) wants(t *testing.T, want ...string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.calls) != len(want) {
		t.Errorf("%d calls, want %d:\n%s", len(f.calls), len(want), strings.Join(f.calls, "\n"))
		return
	}
	for i := range want {
		if f.calls[i] != want[i] {
			t.Errorf("call %d\n%s\nwant\n%s", i+1, f.calls[i], want[i])
		}
	}
}

func (f *far) header(i int, name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.heads[i].Get(name)
}

// note is a notification of one request, from an agent that tries markup.
func note() notify.Note {
	end := noon.Add(2 * time.Minute)
	return notify.Note{
		Key: "agent:a1", Kind: notify.Waiting, Title: "garden needs you", Body: "read · ls <b> [x](y)", Link: "https://nod.example/?request=r1", Open: "Open nod",
		At: noon, Until: &end, Lang: "en", Request: "r1", Risk: "read", Agent: nod.AgentRef{ID: "a1", Name: "garden", Host: "desk"},
		Buttons: []notify.Button{
			{Label: "Allow", Verdict: nod.VerdictAllow, URL: "https://nod.example/n/AAA"}, {Label: "Deny", Verdict: nod.VerdictDeny, URL: "https://nod.example/n/DDD"},
		},
	}
}

func settled() notify.Note {
	return notify.Note{Key: "agent:a1", Kind: notify.Settled, Silent: true, Title: "Allowed by anna (phone)", Link: "https://nod.example/", Open: "Open nod", At: noon, Lang: "en"}
}

// story shows a notification, changes it silently, replaces it, and settles it.
func story(t *testing.T, s notify.Sender) {
	t.Helper()
	ctx := context.Background()
	first, err := s.Show(ctx, note(), "")
	if err != nil {
		t.Fatalf("show: %v", err)
	}
	silent := note()
	silent.Silent, silent.Buttons = true, nil
	second, err := s.Show(ctx, silent, first)
	if err != nil {
		t.Fatalf("change: %v", err)
	}
	third, err := s.Show(ctx, note(), second)
	if err != nil {
		t.Fatalf("replace: %v", err)
	}
	if third == "" {
		return // it cannot take anything back
	}
	if err := s.Settle(ctx, third, settled()); err != nil {
		t.Fatalf("settle: %v", err)
	}
}

// fields picks from JSON after the method and the path, for what is too long to
// be compared whole.
func fields(t *testing.T, call string, names ...string) string {
	t.Helper()
	parts := strings.SplitN(call, " ", 3)
	out := parts[0] + " " + parts[1]
	if len(parts) < 3 {
		return out
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(parts[2]), &body); err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	for _, name := range names {
		if v, ok := body[name]; ok {
			text, _ := encode(v)
			out += fmt.Sprintf(" %s=%s", name, text)
		}
	}
	return out
}
