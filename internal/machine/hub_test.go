package machine

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"

	"nod/internal/app"
)

func leaveSocket(t testing.TB, path string) {
	t.Helper()
	listener, err := net.Listen("unix", path)
	must(t, err)
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	must(t, listener.Close())
}

// The real hub, in this process.
func TestDoctorAsksARealHub(t *testing.T) {
	w := newWorld(t)
	must(t, os.MkdirAll(w.DataDir, 0o700))
	w.host = thisHost()
	w.host.executable = func() (string, error) { return w.self, nil }
	w.serveHub()
	for _, id := range []string{"data", "disk", "socket", "hub", "version", "processes"} {
		if c := w.check(id); c.State != OK {
			t.Errorf("%+v", c)
		}
	}
	if c := w.check("you"); c.State != OK && c.State != Warn { // the tests may run inside an agent
		t.Errorf("%+v", c)
	}
	if out := w.mustRun("setup", "claude"); !strings.Contains(out, "The hub is running") {
		t.Error(out)
	}
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
