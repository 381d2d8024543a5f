package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	v1 "nod/internal/client/v1"

	"nod"
)

// What is sent is what the OpenAPI document describes.
func TestRequestsSent(t *testing.T) {
	var got string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.URL.RequestURI() + " " + string(body)
		_, _ = io.WriteString(w, "{}")
	}))
	defer srv.Close()
	c, err := Remote(srv.URL, "nod_x", "terminal")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		want string
		send func() error
	}{
		{"GET /v1/leases ", func() error { _, err := c.Leases(ctx); return err }},
		{`POST /v1/leases {"rules":["Bash(go test:*)"],"minutes":20,"folder":"/src","host":"desk"}`, func() error {
			_, err := c.Grant(ctx, v1.NewLease{Rules: []string{"Bash(go test:*)"}, Minutes: 20, Folder: "/src", Host: "desk"})
			return err
		}},
		{"DELETE /v1/leases/l4%2F2 ", func() error { _, err := c.RevokeLease(ctx, "l4/2"); return err }},
		{"POST /v1/stop ", func() error { _, err := c.StopAll(ctx); return err }},
		{"POST /v1/agents/a-api/interrupt ", func() error { _, err := c.Interrupt(ctx, "a-api"); return err }},
		{`POST /v1/agents/a-api/turns {"id":"m-12345678","text":"use make","when_busy":"wait"}`, func() error {
			_, err := c.Say(ctx, "a-api", v1.NewMessage{ID: "m-12345678", Text: "use make", WhenBusy: nod.Wait})
			return err
		}},
		{"GET /v1/history? ", func() error { _, err := c.History(ctx, Past{}); return err }},
		{"GET /v1/history?before=7&by=automatic&from=2026-11-15T12%3A00%3A00Z&limit=5&q=git+log&verdict=allow ", func() error {
			_, err := c.History(ctx, Past{Words: []string{"git", "log"}, Verdict: "allow", By: "automatic", From: noon, Before: 7, Limit: 5})
			return err
		}},
	}
	for _, tt := range tests {
		if err := tt.send(); err != nil || got != tt.want {
			t.Errorf("%v: sent %q, want %q", err, got, tt.want)
		}
	}
}
