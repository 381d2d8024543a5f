package keyboard

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// drawn are pictures that are made up.
type drawn struct {
	mu   sync.Mutex
	made map[string][]byte
}

func (d *drawn) Name(label, emoji, colour string) string {
	h := fnv.New32a()
	fmt.Fprint(h, label, emoji, colour)
	name := fmt.Sprintf("icon-%08x.rgb", h.Sum32())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made[name] = bytes.Repeat([]byte{byte(h.Sum32())}, fakekeyboard.PictureSize)
	return name
}

func (d *drawn) Bytes(name string) ([]byte, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.made[name]
	return b, ok
}

// rig is a hub with this surface in a network of pipes, where everybody has the
// address that they say, and time is the bubble's.
type rig struct {
	*hubtest.Rig
	web     *hubtest.Web
	surface *Surface
	data    string
	own     http.Handler // 8080 and 8081
	shared  http.Handler // the hub's port
	conns   chan net.Conn
	stop    func()
}

func bubble(t *testing.T, f func(g *rig)) {
	t.Helper()
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{Proof: []string{"destructive"}}, Settle: synctest.Wait}), data: data}
		g.web = g.Web()
		g.begin()
		defer func() { g.stop() }()
		f(g)
	})
}

// begin starts the surface, or restarts it as a restart of nod does.
func (g *rig) begin(change ...func(*Surface)) {
	if g.stop != nil {
		g.stop()
	}
	g.surface = New(Config{}, adapter.Deps{Deps: g.Deps(), Data: g.data}, Needs{Credentials: g.web.Credentials, Gate: g.web.Gate})
	g.surface.pictures.icons = &drawn{made: map[string][]byte{}}
	g.surface.boards.own = func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.1.2")} }
	for _, f := range change {
		f(g.surface)
	}
	g.Run(g.surface.Run)
	g.own = g.surface.Handler()
	g.web.Serve(g.surface.Routes()...)
	g.shared = g.surface.Middleware(g.web)
	g.conns = make(chan net.Conn)
	listener := &piped{conns: g.conns, done: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "hub") {
			g.shared.ServeHTTP(w, r)
			return
		}
		g.own.ServeHTTP(w, r)
	}), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	go func() { _ = server.Serve(listener) }()
	g.stop = func() {
		_ = server.Close()
		g.surface.boards.mu.Lock()
		for _, k := range g.surface.boards.byID {
			for _, c := range k.conns {
				c.end()
			}
		}
		g.surface.boards.mu.Unlock()
		g.Stop()
		synctest.Wait()
	}
}

// board is a keyboard that is connected.
func (g *rig) board(address string, change ...func(*fakekeyboard.Options)) *fakekeyboard.Board {
	g.Helper()
	b := g.newBoard(address, change...)
	if err := b.Connect(g.Context()); err != nil {
		g.Fatal(err)
	}
	synctest.Wait()
	return b
}

func (g *rig) newBoard(address string, change ...func(*fakekeyboard.Options)) *fakekeyboard.Board {
	o := fakekeyboard.Options{Host: "tkeyboard-bridge.local:8080", Images: "http://tkeyboard-bridge.local:8081", Dial: g.dialFrom(address)}
	for _, f := range change {
		f(&o)
	}
	b := fakekeyboard.New(o)
	g.Cleanup(func() {
		if f := b.Faults(); len(f) > 0 {
			g.Errorf("the firmware would not have understood: %q", f)
		}
	})
	return b
}

// admitted is a keyboard that somebody let in.
func (g *rig) admitted(address string) *fakekeyboard.Board {
	g.Helper()
	b := g.board(address)
	if w := g.admit(boardID(address), code(b)); w.Code != 200 {
		g.Fatalf("%d %s", w.Code, w.Body)
	}
	time.Sleep(time.Second) // nobody presses at once
	synctest.Wait()
	return b
}

func code(b *fakekeyboard.Board) string {
	text := ""
	for _, s := range b.Screens() {
		text += s.Text
	}
	return text
}

func (g *rig) admit(id, code string) *httptest.ResponseRecorder {
	g.Helper()
	w := g.send(g.shared, "POST", "/v1/keyboards/"+id+"/admit", g.web.Token("boss", hubtest.All), `{"code":"`+code+`"}`)
	synctest.Wait()
	return w
}

func (g *rig) send(h http.Handler, method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	g.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(g.Context(), method, path, in)
	r.RemoteAddr = "127.0.0.1:4000"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "from" {
			r.RemoteAddr = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	synctest.Wait()
	return w
}

// agent brings an agent into a state that can do everything.
func (g *rig) agent(id nod.AgentID, state nod.AgentState, change ...func(*nod.Agent)) {
	g.Helper()
	able := func(a *nod.Agent) {
		a.Host, a.Can = "desk", []nod.Ability{nod.CanSay, nod.CanInterrupt, nod.CanBackground}
	}
	g.Agent(id, state, append([]func(*nod.Agent){able}, change...)...)
}

func (g *rig) ask(agent nod.AgentID, id, command string, change ...func(*nod.Request)) {
	g.Helper()
	g.Ask(hubtest.Approval(id, append([]func(*nod.Request){func(r *nod.Request) {
		r.Agent, r.Title, r.Risk = nod.AgentRef{ID: agent}, "Bash: "+command, &nod.Risk{Level: "write"}
	}}, change...)...))
}

// press presses a key a second later, when it was read.
func (g *rig) press(b *fakekeyboard.Board, key int) {
	g.Helper()
	time.Sleep(time.Second)
	if !b.Press(key) {
		g.Fatalf("key %d was not sent", key)
	}
	synctest.Wait()
}

// shows compares what can be read on the keys.
func (g *rig) shows(b *fakekeyboard.Board, want ...string) {
	g.Helper()
	var got []string
	for _, s := range b.Screens() {
		got = append(got, s.Words())
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		g.Errorf("the keys show %q, want %q", got, want)
	}
}

func (g *rig) messages(id nod.AgentID) []string {
	var list []string
	g.Hub.Look(func(s *nod.State) {
		for _, m := range s.MessagesTo(id) {
			list = append(list, m.Text)
		}
	})
	return list
}

func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
