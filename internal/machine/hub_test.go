package machine

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"nod/internal/app"
)

// The real hub, in this process.
func TestDoctorAsksARealHub(t *testing.T) {
	w := newWorld(t)
	must(t, os.MkdirAll(w.DataDir, 0o700))
	w.host = thisHost()
	w.host.executable = func() (string, error) { return w.self, nil }
	w.serveHub()
	for id, want := range map[string][]string{
		"data": {"ok"}, "disk": {"ok"}, "socket": {"ok"}, "hub": {"ok"}, "version": {"ok"}, "processes": {"ok"},
		"you": {"ok", "warn"}, // the tests may run inside an agent
	} {
		if state := w.state(id); !slices.Contains(want, state) {
			t.Errorf("%s: %s", id, state)
		}
	}
	if out := w.mustRun("setup", "claude"); !strings.Contains(out, "The hub is running") {
		t.Error(out)
	}
}

// state is how a check of the doctor comes out.
func (w *world) state(id string) string {
	w.t.Helper()
	page, _ := w.run("doctor", "--json") // other checks may fail here
	var report struct{ Checks []struct{ ID, State string } }
	must(w.t, json.Unmarshal([]byte(page), &report))
	for _, c := range report.Checks {
		if c.ID == id {
			return c.State
		}
	}
	w.t.Fatalf("there is no check %q:\n%s", id, page)
	return ""
}

func (w *world) serveHub() {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	in, out := io.Pipe()
	conf := app.DefaultConfig()
	conf.Listen = "127.0.0.1:0"
	ended := make(chan error, 1)
	go func() {
		err := app.Serve(ctx, app.Options{Data: w.DataDir, Config: conf, Version: w.Version, Out: out, Log: slog.New(slog.DiscardHandler)})
		_ = out.CloseWithError(io.EOF)
		ended <- err
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "listening on ") {
		w.t.Fatalf("%q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, in) }()
	w.t.Cleanup(func() {
		stop()
		must(w.t, <-ended)
	})
}
