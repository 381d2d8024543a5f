package httpd

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
)

func TestARequestKeepsItsTraceID(t *testing.T) {
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, tt := range []struct {
		name         string
		in           []string
		echoed, logs string // "" in logs: no trace
	}{
		{"none", nil, "", ""},
		{"a proxy's", []string{"X-Request-Id", "abc-123"}, "abc-123", "trace=abc-123"},
		{"W3C", []string{"Traceparent", parent}, "", "trace=4bf92f3577b34da6a3ce929d0e0e4736"},
		{"both", []string{"Traceparent", parent, "X-Request-Id", "abc"}, "abc", "trace=abc"},
		{"forged", []string{"X-Request-Id", `a" status=200`}, "", ""},
		{"endless", []string{"X-Request-Id", strings.Repeat("a", 129)}, "", ""},
		{"not W3C", []string{"Traceparent", "00-0-0-0"}, "", ""},
		{"nothing of W3C", []string{"Traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"}, "", ""},
	} {
		var logs bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		mux := Mux(&Gate{}, log, Route{Method: "POST", Path: "/v1/requests/{id}/decision", Open: true, Handle: func(http.ResponseWriter, *http.Request) error {
			return nod.Errorf(nod.Conflict, "somebody was first")
		}})
		r := httptest.NewRequest("POST", "http://localhost/v1/requests/r1/decision", nil)
		for i := 0; i < len(tt.in); i += 2 {
			r.Header.Set(tt.in[i], tt.in[i+1])
		}
		w := httptest.NewRecorder()
		guard(mux, nil, log).ServeHTTP(w, r)
		if got := w.Header().Get("X-Request-Id"); got != tt.echoed || w.Code != 409 {
			t.Errorf("%s: %d, echoed %q", tt.name, w.Code, got)
		}
		if got := w.Header().Get("Traceparent"); (got == parent) != strings.HasPrefix(tt.logs, "trace=4bf") && tt.name != "both" {
			t.Errorf("%s: echoed %q", tt.name, got)
		}
		lines := strings.Split(strings.TrimSpace(logs.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], "somebody was first") || !strings.Contains(lines[1], "msg=answered") || !strings.Contains(lines[1], `route="POST /v1/requests/{id}/decision" status=409`) {
			t.Fatalf("%s: %s", tt.name, logs.String())
		}
		for _, line := range lines {
			if !strings.Contains(line, "request=r1") || strings.Contains(line, "trace=") != (tt.logs != "") || !strings.Contains(line, tt.logs) {
				t.Errorf("%s: %s", tt.name, line)
			}
		}
	}
}

func TestTheLogNamesAHooksRequest(t *testing.T) {
	var logs bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r := httptest.NewRequest("POST", "http://localhost/v1/hooks/claude", nil)
	r.Header.Set("Nod-Ask", "0123456789abcdef")
	guard(http.NotFoundHandler(), nil, log).ServeHTTP(httptest.NewRecorder(), r)
	if !strings.Contains(logs.String(), "status=404") || !strings.Contains(logs.String(), "request=0123456789abcdef") {
		t.Error(logs.String())
	}
}
