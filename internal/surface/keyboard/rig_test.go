package keyboard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
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

// drawn makes fake pictures.
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

// rig is a hub with this surface in a synctest bubble, in a network of pipes where a
// client has the address that it names.
type rig struct {
	*hubtest.Rig
	web     *hubtest.Web
	surface *Surface
	data    string
	own     http.Handler // 8080 and 8081
	shared  http.Handler // the hub's port
	conns   chan net.Conn
}

func bubble(t *testing.T, f func(g *rig)) {
	t.Helper()
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{Proof: []string{"destructive"}}, Settle: synctest.Wait}), data: data}
		g.web = g.Web()
		g.begin()
		f(g)
	})
}

// begin starts the surface, or restarts it as a restart of nod does.
func (g *rig) begin(change ...func(*Surface)) {
	g.Stop()
	synctest.Wait()
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
	g.Run(g.serve)
}

// serve answers connections until ctx ends, and ends those of keyboards with it.
func (g *rig) serve(ctx context.Context) {
	s, own, shared := g.surface, g.own, g.shared
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "hub") {
			shared.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	}), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	listener := &piped{conns: g.conns, done: make(chan struct{})}
	go func() { _ = server.Serve(listener) }()
	<-ctx.Done()
	_ = server.Close()
	s.boards.mu.Lock()
	defer s.boards.mu.Unlock()
	for _, k := range s.boards.byID {
		for _, c := range k.conns {
			c.end()
		}
	}
}

// board is a keyboard that is connected.
func (g *rig) board(address string, change ...func(*fakekeyboard.Options)) *fakekeyboard.Board {
	g.Helper()
	b := g.newBoard(address, change...)
	g.reconnect(b)
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

// admitted is a keyboard that was admitted.
func (g *rig) admitted(address string) *fakekeyboard.Board {
	g.Helper()
	b := g.board(address)
	if w := g.admit(boardID(address), code(b)); w.Code != 200 {
		g.Fatalf("%d %s", w.Code, w.Body)
	}
	time.Sleep(time.Second) // a press right after a change does not count
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
	return g.admin("POST", "/v1/keyboards/"+id+"/admit", `{"code":"`+code+`"}`)
}

// send plays a request of this machine against a handler. Headers are names and values;
// the header "from" is another address.
func (g *rig) send(h http.Handler, method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	g.Helper()
	web := *g.web
	web.Handler = h
	return web.Send(method, path, key, body, func(r *http.Request) {
		r.RemoteAddr = "127.0.0.1:4000"
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == "from" {
				r.RemoteAddr = headers[i+1]
				continue
			}
			r.Header.Set(headers[i], headers[i+1])
		}
	})
}

// admin plays a request of an administrator on the hub's own port.
func (g *rig) admin(method, path, body string) *httptest.ResponseRecorder {
	g.Helper()
	return g.send(g.shared, method, path, g.web.Token("boss", hubtest.All), body)
}

// reconnect connects a keyboard again.
func (g *rig) reconnect(b *fakekeyboard.Board) {
	g.Helper()
	if err := b.Connect(g.Context()); err != nil {
		g.Fatal(err)
	}
	synctest.Wait()
}

// pressLater prepares a press of a key as it is shown now, and returns what sends it.
func (g *rig) pressLater(b *fakekeyboard.Board, key int, text string) (send func()) {
	message := fmt.Sprintf(`{"type":"key_press","session_id":%q,"key":%d,"text":%q}`, b.Session(), key, text)
	return func() {
		g.Helper()
		if err := b.Say(message); err != nil {
			g.Fatal(err)
		}
		synctest.Wait()
	}
}

// agent brings an agent that can do everything into a state.
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
		r.Input, _ = json.Marshal(map[string]string{"command": command})
	}}, change...)...))
}

// press presses a key a second later, when a person has read it.
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
