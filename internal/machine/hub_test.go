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
	"time"

	"nod/internal/app"
	"nod/internal/machine/env/envtest"
)

// The real hub, in this process.
func TestDoctorAsksARealHub(t *testing.T) {
	w := newWorld(t)
	envtest.Must(t, os.MkdirAll(w.DataDir, 0o700))
	w.Now = time.Now
	w.serveHub()
	for id, want := range map[string][]string{
		"data": {"ok"}, "disk": {"ok"}, "socket": {"ok"}, "hub": {"ok"}, "version": {"ok"}, "processes": {"ok"},
		"you": {"ok", "warn"}, // the tests may run inside an agent
	} {
		if state := w.state(id); !slices.Contains(want, state) {
			t.Errorf("%s: %s", id, state)
		}
	}
	if out := w.MustRun("setup", "claude"); !strings.Contains(out, "The hub is running") {
		t.Error(out)
	}
}

// state is how a check of the doctor comes out.
func (w *world) state(id string) string {
	w.T.Helper()
	page, _ := w.Run("doctor", "--json") // other checks may fail here
	var report struct{ Checks []struct{ ID, State string } }
	envtest.Must(w.T, json.Unmarshal([]byte(page), &report))
	for _, c := range report.Checks {
		if c.ID == id {
			return c.State
		}
	}
	w.T.Fatalf("there is no check %q:\n%s", id, page)
	return ""
}

func (w *world) serveHub() {
	w.T.Helper()
	ctx, stop := context.WithCancel(w.T.Context())
	in, out := io.Pipe()
	conf, _, err := app.LoadConfig("", false, func(string) string { return "" })
	if err != nil {
		w.T.Fatal(err)
	}
	conf.Listen = "127.0.0.1:0"
	ended := make(chan error, 1)
	go func() {
		err := app.Serve(ctx, app.Options{Data: w.DataDir, Config: conf, Version: w.Version, Out: out, Log: slog.New(slog.DiscardHandler)})
		_ = out.CloseWithError(io.EOF)
		ended <- err
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "listening on ") {
		w.T.Fatalf("%q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, in) }()
	w.T.Cleanup(func() {
		stop()
		envtest.Must(w.T, <-ended)
	})
}
