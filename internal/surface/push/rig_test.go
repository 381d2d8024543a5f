package push

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/e2e/fakepush"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a hub with this surface, and a push service without a network.
type rig struct {
	t       *testing.T
	store   *mem.Store
	far     *fakepush.Service
	policy  hub.Policy
	hub     *hub.Hub
	keeper  *auth.Credentials
	surface *Surface
	mux     http.Handler
	logs    *logs
	stop    func()
}

// inBubble runs a test with made-up time, which begins on 2000-01-01 at
// midnight UTC.
func inBubble(t *testing.T, f func(g *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := &rig{t: t, store: mem.New(), far: fakepush.New(), logs: &logs{}}
		g.start()
		f(g)
		g.end()
	})
}

func (g *rig) start() {
	g.t.Helper()
	log := slog.New(slog.NewTextHandler(g.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	if g.hub, err = hub.Open(g.t.Context(), g.store, hub.Options{Policy: g.policy}); err != nil {
		g.t.Fatal(err)
	}
	g.keeper = auth.NewCredentials(g.store, nil, log)
	g.surface = New(Options{Hub: g.hub, Tokens: g.keeper, Book: g.store, Transport: g.far, Log: log})
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return g.hub.Desk(by).Allowed(ctx, right, what)
	}}
	g.mux = httpd.Mux(gate, log, g.surface.Routes()...)
	ctx, cancel := context.WithCancel(g.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		g.surface.Run(ctx)
	}()
	g.stop = func() {
		cancel()
		<-ended
	}
	synctest.Wait()
}

func (g *rig) end() {
	g.t.Helper()
	g.stop()
	if err := g.hub.Close(context.Background()); err != nil {
		g.t.Error(err)
	}
}

// phone is a paired device with a browser.
type phone struct {
	g       *rig
	id      string
	token   string
	browser *fakepush.Browser
}

// pair admits a device and subscribes it. wish is what it wants beyond its
// subscription, such as `"notify":"all"`.
func (g *rig) pair(rights nod.Rights, wish string) *phone {
	g.t.Helper()
	secret, token, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, "phone", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	p := &phone{g: g, id: token.ID, token: secret.Reveal()}
	p.browser = g.far.Subscribe(p.settings().Key)
	p.wish(wish)
	return p
}

func (p *phone) wish(wish string) {
	p.g.t.Helper()
	body := `{"subscription":` + p.browser.JSON()
	if wish != "" {
		body += "," + wish
	}
	if w := p.send("PUT", "/v1/push", body+"}"); w.Code != 200 {
		p.g.t.Fatalf("PUT: %d %s", w.Code, w.Body)
	}
	synctest.Wait()
}

func (p *phone) settings() (s Settings) {
	p.g.t.Helper()
	w := p.send("GET", "/v1/push", "")
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != 200 {
		p.g.t.Fatalf("GET: %d %s", w.Code, w.Body)
	}
	return s
}

func (p *phone) send(method, path, body string) *httptest.ResponseRecorder {
	return p.g.send(method, path, p.token, body)
}

// got is what the browser received so far.
func (p *phone) got() []Payload {
	p.g.t.Helper()
	synctest.Wait()
	var list []Payload
	for _, m := range p.browser.Received() {
		var one Payload
		if err := json.Unmarshal(m.Payload, &one); err != nil {
			p.g.t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}

// wants checks what the browser received so far, as "type id".
func (p *phone) wants(want ...string) {
	p.g.t.Helper()
	var got []string
	for _, m := range p.got() {
		got = append(got, m.Type+" "+m.ID)
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		p.g.t.Errorf("told %q, want %q", got, want)
	}
}

// attempts are the statuses that were answered so far.
func (p *phone) attempts() int {
	synctest.Wait()
	return len(p.browser.Attempts())
}

func request(id string) nod.Request {
	return nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: ls", OneTap: true,
		Agent: nod.AgentRef{ID: "agent-1", Name: "garden", Kind: "claude"}, Risk: &nod.Risk{Level: "read"},
	}
}

func (g *rig) ask(id string) { g.raise(request(id)) }

func (g *rig) raise(r nod.Request) {
	g.t.Helper()
	if _, err := g.hub.Link("test").Ask(g.t.Context(), r); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
}

func (g *rig) deny(id string) {
	g.t.Helper()
	if _, err := g.hub.Desk(nod.Actor{Name: "anna", Rights: all}).Decide(g.t.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		g.t.Fatal(err)
	}
	synctest.Wait()
}

// agent brings the agent into states, one after the other.
func (g *rig) agent(states ...nod.AgentState) {
	g.t.Helper()
	for _, state := range states {
		err := g.hub.Link("test").Report(g.t.Context(), hub.Agent("agent-1", func(a *nod.Agent, now time.Time) {
			a.Kind, a.Name, a.Prompt = "claude", "garden", "Water the tomatoes"
			a.Enter(state, now)
			if a.Problem = ""; state == nod.AgentError {
				a.Problem = "API error 529"
			}
		}))
		if err != nil {
			g.t.Fatal(err)
		}
	}
	synctest.Wait()
}

// send plays one request against the routes.
func (g *rig) send(method, path, token, body string) *httptest.ResponseRecorder {
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
	w := httptest.NewRecorder()
	g.mux.ServeHTTP(w, r)
	return w
}

// logs is a log that several goroutines write to.
type logs struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// pass lets made-up time go by; it is called in a bubble only.
func pass(d time.Duration) { time.Sleep(d) }
