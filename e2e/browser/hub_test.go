package browser

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/rig"
	"nod/internal/client"
)

// hub is one `nod serve` with data of its own.
type hub struct {
	t      testing.TB
	data   string
	url    string
	cmd    *exec.Cmd
	log    *record
	client *client.Client
}

// newHub starts a hub; config is its nod.toml.
func newHub(t testing.TB, config ...string) *hub {
	t.Helper()
	h := idleHub(t, config...)
	h.start("127.0.0.1:0")
	return h
}

// newDemo starts one with simulated agents, whose data is kept apart.
func newDemo(t testing.TB) *hub {
	t.Helper()
	h := idleHub(t)
	h.start("127.0.0.1:0", "--demo")
	h.client = client.Local(filepath.Join(h.data, "demo", "nod.sock"), "test")
	return h
}

func idleHub(t testing.TB, config ...string) *hub {
	t.Helper()
	needChromium(t)                            // before anything is started
	data, err := os.MkdirTemp("", "nod-data-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	if len(config) > 0 {
		if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte(strings.Join(config, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := &hub{t: t, data: data, log: &record{}, client: client.Local(filepath.Join(data, "nod.sock"), "test")}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("hub log:\n%s", h.log)
		}
		h.kill()
	})
	return h
}

// env is what a person's own terminal has: nothing of an agent's.
func (h *hub) env() []string {
	return []string{"HOME=" + h.data, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "NOD_DATA=" + h.data}
}

// start runs `nod serve` and returns when it listens.
func (h *hub) start(listen string, more ...string) {
	h.t.Helper()
	cmd := exec.Command(binary, append([]string{"serve", "--listen", listen}, more...)...)
	cmd.Env, cmd.Stderr = h.env(), h.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.cmd = cmd
	first, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		h.t.Fatalf("the hub said %q, %v\n%s", first, err, h.log)
	}
	h.url = url
	go func() { _, _ = io.Copy(io.Discard, out) }()
}

// kill is what a power cut does.
func (h *hub) kill() {
	if h.cmd != nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
		h.cmd = nil
	}
}

// restart comes back at the same address with the same data.
func (h *hub) restart() { h.t.Helper(); h.start(strings.TrimPrefix(h.url, "http://")) }

// nod runs a command as a person would, in a terminal of their own.
func (h *hub) nod(args ...string) string {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = h.env(), h.data
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("nod %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// code is a one-time code for a device with these rights.
func (h *hub) code(rights ...nod.Right) string {
	h.t.Helper()
	if len(rights) == 0 {
		rights = []nod.Right{nod.View, nod.Answering, nod.Admin}
	}
	p, err := h.client.NewPairing(h.t.Context(), nod.RightsOf(rights...))
	if err != nil {
		h.t.Fatal(err)
	}
	return p.Code
}

// request returns a request once it satisfies done.
func (h *hub) request(id nod.RequestID, what string, done func(*nod.Request) bool) *nod.Request {
	h.t.Helper()
	var r *nod.Request
	rig.Until(h.t, "request "+what, func() bool {
		var err error
		r, err = h.client.Request(h.t.Context(), string(id))
		return err == nil && done(r)
	}, func() string { return describe(r) })
	return r
}

// waiting are the pending requests.
func (h *hub) waiting() []*nod.Request {
	h.t.Helper()
	s, err := h.client.State(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return s.Requests
}

// record is a buffer that a process writes while a test reads.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}
