package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/hub"
	"nod/internal/hub/attachment"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/api"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a whole hub, with the listeners that people have.
type rig struct {
	t       *testing.T
	store   *mem.Store
	hub     *hub.Hub
	link    hub.Link
	keeper  *auth.Credentials
	local   *auth.Local
	verdict auth.Verdict // about everyone on the local socket
	routes  []httpd.Route
	mux     http.Handler // without a network
	logs    *safeBuffer

	server *httpd.Server
	socket string
	stop   context.CancelFunc
	ended  chan error
}

// lenient offers a lease for everything and grants every rule of Bash.
type lenient struct{}

func (lenient) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement {
	if len(leases) > 0 {
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "lease", Lease: leases[0].ID}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "read"}, Kind: []string{"Bash(ls:*)"}}
}

func (lenient) Check(rules []string) error {
	if !strings.HasPrefix(rules[0], "Bash") {
		return nod.Errorf(nod.Invalid, "no rule")
	}
	return nil
}

// household is whom one can talk to in most tests.
var household = []nod.Assistant{
	{Name: "jarvis", About: "knows the house", Kind: "claude", Host: "desk", Cwd: "/srv/house", Language: "pl"},
	{Name: "coder", Kind: "claude", Host: "desk", Cwd: "/work"},
}

func newRig(t *testing.T) *rig { return newRigWith(t, household) }

func newRigWith(t *testing.T, assistants []nod.Assistant) *rig {
	t.Helper()
	g := &rig{t: t, store: mem.New(), logs: &safeBuffer{}, ended: make(chan error, 1)}
	log := slog.New(slog.NewTextHandler(g.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	if g.hub, err = hub.Open(t.Context(), g.store, hub.Options{Version: "test", Policy: lenient{}, Assistants: assistants}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.hub.Close(context.Background()) })
	g.link = g.hub.Link("test")
	g.keeper = auth.NewCredentials(g.store, nil, log)
	g.verdict = auth.Verdict{Person: true, PID: 4711, User: "anna"}
	g.local = &auth.Local{Host: "desk", Judge: func(net.Conn) auth.Verdict { return g.verdict }}
	g.routes = api.Routes(api.Deps{
		Hub: g.hub, Credentials: g.keeper, Version: "test", Started: time.Unix(1e9, 0), PID: 42,
		Files: attachment.FileStore{Dir: t.TempDir(), Now: time.Now},
		Data:  "/data", Listen: func() string { return g.server.URL() },
	})
	gate := &httpd.Gate{Credentials: g.keeper, Local: g.local, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.hub.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, log, g.routes...)
	g.serve(log)
	return g
}

func (g *rig) serve(log *slog.Logger) {
	dir, err := os.MkdirTemp("", "nod") // t.TempDir is too long for a socket on some systems
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	g.socket = filepath.Join(dir, "nod.sock")
	g.server, err = httpd.Listen(g.t.Context(), httpd.Config{Handler: g.mux, Listen: "127.0.0.1:0", Socket: g.socket, Log: log})
	if err != nil {
		g.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	go func() { g.ended <- g.server.Serve(ctx) }()
	g.t.Cleanup(func() { stop(); g.ended <- <-g.ended })
}

// device makes a client with a token.
func (g *rig) device(rights nod.Rights) *client.Client {
	g.t.Helper()
	c, err := client.Remote(g.server.URL(), g.token(rights), "test")
	if err != nil {
		g.t.Fatal(err)
	}
	return c
}

func (g *rig) token(rights nod.Rights) string {
	g.t.Helper()
	by := nod.Actor{Name: "test", Rights: all}
	s, _, err := g.keeper.Create(g.t.Context(), by, "phone", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	return s.Reveal()
}

// ask raises a request for a shell command.
func (g *rig) ask(id string) *nod.Request {
	g.t.Helper()
	r, err := g.link.Ask(g.t.Context(), nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Agent: nod.AgentRef{ID: "agent-1", Kind: "claude"},
		Tool: "Bash", Title: "Bash: ls", Input: json.RawMessage(`{"command":"ls <a> && b"}`), CanEdit: true, EditField: "command",
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// agent makes an agent known.
func (g *rig) agent(id nod.AgentID, can ...nod.Ability) {
	g.t.Helper()
	err := g.link.Report(g.t.Context(),
		hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Kind, a.Name, a.Host, a.Cwd = "claude", "nod", "desk", "/work"
			a.Can = can
			a.Enter(nod.AgentWorking, now)
		}),
		hub.Said(nod.Turn{Agent: id, Role: nod.TurnPerson, Text: "hello"}))
	if err != nil {
		g.t.Fatal(err)
	}
}

// send plays one request against the routes, without a network.
func (g *rig) send(method, path, token, body string, headers ...string) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(g.t.Context(), method, path, in)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

// safeBuffer is a log that several goroutines write to.
type safeBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
