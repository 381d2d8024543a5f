package api_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/api"
)

var all = hubtest.All

// rig is a hub with this API, on a port and a Unix socket.
type rig struct {
	*hubtest.Rig
	web     *hubtest.Web // without a network
	verdict auth.Verdict // about everyone on the local socket
	routes  []httpd.Route

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

// twoAssistants are there in most tests.
var twoAssistants = []nod.Assistant{
	{Name: "jarvis", About: "knows the house", Kind: "claude", Host: "desk", Cwd: "/srv/house", Language: "pl"},
	{Name: "coder", Kind: "claude", Host: "desk", Cwd: "/work"},
}

func newRig(t *testing.T) *rig { return newRigWith(t, twoAssistants) }

func newRigWith(t *testing.T, assistants []nod.Assistant) *rig {
	t.Helper()
	g := &rig{
		Rig:     hubtest.New(t, hubtest.Options{Options: hub.Options{Policy: lenient{}, Assistants: assistants}}),
		verdict: auth.Verdict{Person: true, PID: 4711, User: "anna"}, ended: make(chan error, 1),
	}
	g.web = g.Web()
	g.web.Gate.Local = &auth.Local{Host: "desk", Judge: func(net.Conn) auth.Verdict { return g.verdict }}
	g.routes = api.New(
		adapter.Deps{Deps: g.Deps(), Version: "test", Address: func() string { return g.server.URL() }},
		api.Needs{Credentials: g.web.Credentials, Files: attachment.FileStore{Dir: t.TempDir(), Now: time.Now}, Started: time.Unix(1e9, 0), Directory: "/data", Claude: "/usr/bin/claude"},
	).Routes()
	g.web.Serve(g.routes...)
	g.serve()
	return g
}

func (g *rig) serve() {
	dir, err := os.MkdirTemp("", "nod") // t.TempDir is too long for a socket on some systems
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = os.RemoveAll(dir) })
	g.socket = filepath.Join(dir, "nod.sock")
	g.server, err = httpd.Listen(g.Context(), httpd.Config{Handler: g.web, Listen: "127.0.0.1:0", Socket: g.socket, Log: g.Log()})
	if err != nil {
		g.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	go func() { g.ended <- g.server.Serve(ctx) }()
	g.Cleanup(func() { stop(); g.ended <- <-g.ended })
}

// device makes a client with a token.
func (g *rig) device(rights nod.Rights) *client.Client {
	g.Helper()
	c, err := client.Remote(g.server.URL(), g.token(rights), "test")
	if err != nil {
		g.Fatal(err)
	}
	return c
}

// token is a new one each time: tests revoke them.
func (g *rig) token(rights nod.Rights) string {
	g.Helper()
	s, _, err := g.web.Credentials.Create(g.Context(), nod.Actor{Name: "test", Rights: all}, "phone", rights, "")
	if err != nil {
		g.Fatal(err)
	}
	return s.Reveal()
}

// ask raises a request for a shell command.
func (g *rig) ask(id string) {
	g.Helper()
	g.Ask(nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Agent: nod.AgentRef{ID: "agent-1", Kind: "claude"},
		Tool: "Bash", Title: "Bash: ls", Input: json.RawMessage(`{"command":"ls <a> && b"}`), CanEdit: true, EditField: "command",
	})
}

// agent makes an agent known.
func (g *rig) agent(id nod.AgentID, can ...nod.Ability) {
	g.Helper()
	g.Agent(id, nod.AgentWorking, func(a *nod.Agent) { a.Name, a.Host, a.Cwd, a.Can = "nod", "desk", "/work", can })
	g.Report(hub.Said(nod.Turn{Agent: id, Role: nod.TurnPerson, Text: "hello"}))
}

// send plays one request against the routes, without a network.
func (g *rig) send(method, path, token, body string, headers ...string) *httptest.ResponseRecorder {
	return g.web.Send(method, path, token, body, func(r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
	})
}
