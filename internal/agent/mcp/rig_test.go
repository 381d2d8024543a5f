package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
	driver "nod/internal/agent/mcp"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

// rig is a hub with nothing but this driver, on a real socket and a real port. It
// can be ended and started again on the same store.
type rig struct {
	*testing.T
	store  *mem.Store
	dir    string
	token  string // of an agent elsewhere: it may raise
	blind  string // of a screen: it may see
	hub    *hub.Hub
	driver *driver.Driver
	url    string
	end    func()

	mu        sync.Mutex
	connected bool
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-mcp-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	g := &rig{T: t, store: mem.New(), dir: dir}
	g.token, g.blind = g.makeToken("robot far away", nod.Raise), g.makeToken("screen", nod.View)
	g.start()
	t.Cleanup(func() { g.end() })
	return g
}

func (g *rig) makeToken(name string, right nod.Right) string {
	g.Helper()
	system := nod.Actor{Kind: nod.ActorSystem, Name: "test", Rights: nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)}
	secret, _, err := auth.NewCredentials(g.store, nil, slog.New(slog.DiscardHandler)).Create(g.Context(), system, name, nod.RightsOf(right), "")
	if err != nil {
		g.Fatal(err)
	}
	return secret.Reveal()
}

func (g *rig) start() {
	g.Helper()
	h, err := hub.Open(context.Background(), g.store, hub.Options{})
	if err != nil {
		g.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	g.hub = h
	g.driver = driver.New(adapter.Deps{Deps: hub.Deps{Hub: h, Now: time.Now}, Version: "test"}, driver.Needs{Keyboard: func(nod.AgentID) (bool, int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.connected, 0
	}})
	g.driver.SetTiming(time.Second, 2*time.Second)
	gate := &httpd.Gate{Credentials: auth.NewCredentials(g.store, nil, log), Local: &auth.Local{}, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	server, err := httpd.Listen(g.Context(), httpd.Config{Handler: httpd.Mux(gate, log, g.driver.Routes()...), Listen: "127.0.0.1:0", Socket: filepath.Join(g.dir, "s"), Log: log})
	if err != nil {
		g.Fatal(err)
	}
	g.url = server.URL()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = server.Serve(ctx) })
	all.Go(func() { g.driver.Run(ctx) })
	g.end = sync.OnceFunc(func() {
		cancel()
		all.Wait()
		if err := h.Close(context.Background()); err != nil {
			g.Error(err)
		}
	})
}

// remote is what `nod mcp` has of the hub.
func (g *rig) remote() *server.Remote {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(g.dir, "s"))
	}
	return &server.Remote{HTTP: &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}, Base: "http://nod", Seek: 20 * time.Millisecond}
}

// agent is a program with a server of its own, as on stdio.
type agent struct {
	*sdk.ClientSession
	rig      *rig
	progress chan string
	changed  chan string
	leave    func()
}

func (g *rig) handlers(a *agent) *sdk.ClientOptions {
	return &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
			select {
			case a.progress <- req.Params.Message:
			default:
			}
		},
		ResourceUpdatedHandler: func(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) {
			select {
			case a.changed <- req.Params.URI:
			default:
			}
		},
	}
}

func (g *rig) stdio(session string) *agent {
	g.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	options := server.Options{Hub: g.remote(), Caller: server.Caller{Agent: session, Cwd: "/home/anna/proj", Host: "desk"}, Version: "test", Beat: 20 * time.Millisecond}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan struct{})
	go func() {
		if err := server.Serve(ctx, options, inR, outW); err != nil {
			g.Error(err)
		}
		close(ended)
	}()
	a := g.connect(&sdk.IOTransport{Reader: outR, Writer: inW})
	a.leave = sync.OnceFunc(func() { // as when a program is killed
		_ = inW.Close()
		_ = outR.Close()
		<-ended
		cancel()
	})
	g.Cleanup(a.leave)
	return a
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func (g *rig) http(token string) *agent {
	g.Helper()
	a := g.connect(&sdk.StreamableClientTransport{Endpoint: g.url + driver.Path, HTTPClient: &http.Client{Transport: bearer(token)}})
	g.Cleanup(func() { _ = a.Close() })
	return a
}

func (g *rig) connect(t sdk.Transport) *agent {
	g.Helper()
	a := &agent{rig: g, progress: make(chan string, 100), changed: make(chan string, 100)}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test-agent", Version: "1"}, g.handlers(a)).Connect(g.Context(), t, nil)
	if err != nil {
		g.Fatal(err)
	}
	a.ClientSession = session
	return a
}

type args = map[string]any

// call runs a tool to its end.
func (a *agent) call(tool string, arguments any) *sdk.CallToolResult {
	a.rig.Helper()
	res, err := a.CallTool(a.rig.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.rig.Fatalf("%s: %v", tool, err)
	}
	return res
}

// begin runs a tool that waits.
func (a *agent) begin(ctx context.Context, tool string, arguments any) <-chan *sdk.CallToolResult {
	got := make(chan *sdk.CallToolResult, 1)
	params := &sdk.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken("p")
	go func() {
		defer close(got)
		if res, err := a.CallTool(ctx, params); err == nil {
			got <- res
		}
	}()
	return got
}

func words(res *sdk.CallToolResult) string {
	if res == nil || len(res.Content) == 0 {
		return ""
	}
	if t, ok := res.Content[0].(*sdk.TextContent); ok {
		return t.Text
	}
	return ""
}

// object is a result for programs, as it went over the wire.
func object(t testing.TB, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// follow reads the log until an event is the one.
func (g *rig) follow(is func(nod.Event) bool) nod.Event {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.Context(), 20*time.Second)
	defer cancel()
	for e, err := range g.hub.Desk(anna).Follow(ctx, 0) {
		if err != nil {
			g.Fatalf("it never came: %v", err)
		}
		if is(e) {
			return e
		}
	}
	g.Fatal("it never came")
	return nod.Event{}
}

// asked is the newest request as soon as it is raised.
func (g *rig) asked() *nod.Request {
	g.Helper()
	return g.follow(func(e nod.Event) bool { return e.Kind == nod.RequestRaised && !g.request(e.RequestID).Settled() }).Request
}

func (g *rig) request(id nod.RequestID) *nod.Request {
	g.Helper()
	r, err := g.hub.Desk(anna).Request(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	return r
}

func (g *rig) decide(id nod.RequestID, a nod.Answer) {
	g.Helper()
	if _, err := g.hub.Desk(anna).Decide(g.Context(), id, a); err != nil {
		g.Fatal(err)
	}
}

func (g *rig) answer(r *nod.Request, reply nod.Reply) {
	g.Helper()
	g.decide(r.ID, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{r.Questions[0].Key(): reply}})
}

func (g *rig) find(id nod.AgentID) (found *nod.Agent) {
	g.hub.Look(func(s *nod.State) { found = s.Agents[id] })
	return found
}
