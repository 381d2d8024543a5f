package api_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	v1 "nod/internal/client/v1"
)

func TestClosingHubIsNotReady(t *testing.T) {
	g := newRig(t)
	ask := func(path string, status int) v1.Standing {
		t.Helper()
		w := g.send("GET", path, "", "")
		var s v1.Standing
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != status || s.OK != (status == 200) {
			t.Fatalf("%s: %d %s, %v", path, w.Code, w.Body, err)
		}
		compiler(t).check(t, "GET "+path, w.Code, w.Header().Get("Content-Type"), w.Body.Bytes())
		return s
	}
	if s := ask("/health/ready", 200); s.Status != "ready" {
		t.Errorf("%+v", s)
	}
	if err := g.Hub.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s := ask("/health/ready", 503); s.Status != "away" || !strings.Contains(s.Reason, "cannot reach its log") {
		t.Errorf("%+v", s)
	}
	if s := ask("/health/live", 200); s.Status != "live" {
		t.Errorf("%+v", s)
	}
	if strings.Contains(g.Logs.String(), "health/ready") {
		t.Error("a load balancer fills the log")
	}
}
