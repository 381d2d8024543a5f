package talk

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
	"nod/internal/client"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	apisurface "nod/internal/surface/api"
	"nod/internal/talk/scripted"
)

// testHub is a real hub with its real API on a Unix socket; only its assistants are
// scripted.
type testHub struct {
	*hubtest.Rig
	socket       string
	messagesSent atomic.Int64 // messages that came to the hub, also those that were sent again
	dropReplies  atomic.Int64 // how many answers to a message are still lost on the way

	mu    sync.Mutex
	conns map[net.Conn]bool // streams can be cut
}

func newTestHub(t *testing.T, script func(*scripted.Turn), names ...string) *testHub {
	t.Helper()
	var list []nod.Assistant
	for _, n := range names {
		list = append(list, nod.Assistant{Name: n, Kind: "claude", Host: "desk"})
	}
	h := &testHub{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{Assistants: list}}), conns: map[net.Conn]bool{}}
	if script != nil {
		scripted.New(t, h.Hub, script)
	}
	web := h.Web()
	web.Gate.Local = &auth.Local{Host: "desk", Judge: func(net.Conn) auth.Verdict { return auth.Verdict{Person: true, PID: 1, User: "anna"} }}
	web.Serve(apisurface.New(adapter.Deps{Deps: h.Deps()}, apisurface.Needs{Credentials: web.Credentials, Files: attachment.FileStore{Dir: t.TempDir(), Now: time.Now}}).Routes()...)
	h.serve(web)
	return h
}

func (h *testHub) serve(mux http.Handler) {
	dir, err := os.MkdirTemp("", "nod")
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) })
	inner := filepath.Join(dir, "hub.sock")
	h.socket = filepath.Join(dir, "door.sock")
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/turns") {
			h.messagesSent.Add(1)
			if h.dropReplies.Add(-1) >= 0 { // the message is accepted, but the response is lost
				mux.ServeHTTP(&discardResponse{http.Header{}}, r)
				panic(http.ErrAbortHandler)
			}
		}
		mux.ServeHTTP(w, r)
	})
	server, err := httpd.Listen(h.Context(), httpd.Config{Handler: counted, Listen: "127.0.0.1:0", Socket: inner, Log: h.Log()})
	if err != nil {
		h.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	h.Cleanup(func() { stop(); <-ended })
	h.startProxy(inner)
}

// discardResponse discards a response.
type discardResponse struct{ header http.Header }

func (l *discardResponse) Header() http.Header { return l.header }

func (l *discardResponse) Write(b []byte) (int, error) { return len(b), nil }

func (l *discardResponse) WriteHeader(int) {}

// startProxy passes connections on, so that a test can cut them.
func (h *testHub) startProxy(inner string) {
	l, err := net.Listen("unix", h.socket)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = l.Close(); h.closeConnections() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", inner)
			if err != nil {
				_ = in.Close()
				continue
			}
			h.mu.Lock()
			h.conns[in] = true
			h.mu.Unlock()
			go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
			go func() { _, _ = io.Copy(in, out); _ = in.Close() }()
		}
	}()
}

func (h *testHub) closeConnections() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		_ = c.Close()
		delete(h.conns, c)
	}
}

// user runs nod against the test's hub.
type user struct {
	columns int    // of their terminal; 0: stdout is a pipe
	person  bool   // they type, and read stderr
	input   string // what comes from stdin
	stdin   io.Reader
	lang    string
	signals chan os.Signal
}

func (h *testHub) nod(v user, args ...string) clitest.Result {
	h.Helper()
	var out, errs syncBuffer
	exit := run(h.Context(), h.env(v, &out, &errs), args)
	return clitest.Result{Exit: exit, Out: out.String(), Err: errs.String()}
}

// run is nod with nothing but the commands that talk.
func run(ctx context.Context, env console.Env, args []string) int {
	c := console.New(env)
	return c.Run(ctx, args, AskCommand(c), ChatCommand(c))
}

func (h *testHub) env(v user, out, errs io.Writer) console.Env {
	stdin := v.stdin
	if stdin == nil {
		stdin = strings.NewReader(v.input)
	}
	if v.signals == nil {
		v.signals = make(chan os.Signal)
	}
	return console.Env{
		Stdin: stdin, Stdout: out, Stderr: errs, Now: time.Now,
		Getenv: func(key string) string {
			return map[string]string{"NOD_LANG": v.lang, "NO_COLOR": "1", "TERM": "dumb"}[key]
		},
		Client:   func(via string) (*client.Client, error) { return client.Local(h.socket, via), nil },
		Terminal: func() (int, bool) { return v.columns, v.columns > 0 },
		Person:   func() (int, bool) { return max(60, v.columns), v.person },
		Signals:  func() (<-chan os.Signal, func()) { return v.signals, func() {} },
	}
}

// syncBuffer is read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// until waits for a fact.
func (h *testHub) until(from nod.Seq, is func(nod.Event) bool) {
	for e, err := range h.Hub.Desk(nod.Actor{Name: "test", Rights: nod.RightsOf(nod.View)}).Follow(h.Context(), from) {
		if err != nil || is(e) {
			return
		}
	}
}

func (h *testHub) desk() hub.Desk {
	return h.Hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "ben", Via: "phone", Rights: nod.RightsOf(nod.View, nod.Answering)})
}

func (h *testHub) conversations() (list []*nod.Agent) {
	snap, err := h.desk().Snapshot(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	return snap.Agents
}
