package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/net/auth"
)

// client is a WebSocket of Prompt Relay.
type client struct {
	t    *testing.T
	conn *websocket.Conn
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return strings.Replace(server.URL, "http", "ws", 1)
}

func dial(t *testing.T, url, key string) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := &websocket.DialOptions{HTTPHeader: http.Header{}}
	if key != "" {
		o.HTTPHeader.Set("Authorization", "Bearer "+key)
	}
	conn, _, err := websocket.Dial(ctx, url, o)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &client{t, conn}
}

// next is the next list, as "tool:response" of its requests.
func (c *client) next() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	kind, text, err := c.conn.Read(ctx)
	if err != nil {
		return "closed: " + err.Error()
	}
	var got struct {
		Type     string
		Requests []item
	}
	if err := json.Unmarshal(text, &got); err != nil || kind != websocket.MessageText || got.Type != "update" {
		c.t.Fatalf("%v %s: %v", kind, text, err)
	}
	var parts []string
	for _, it := range got.Requests {
		word := "-"
		if it.Response != nil {
			word = *it.Response
		}
		parts = append(parts, it.Tool+":"+word)
	}
	return strings.Join(parts, " ")
}

func (c *client) want(list string) {
	c.t.Helper()
	if got := c.next(); got != list {
		c.t.Errorf("the client was told %q instead of %q", got, list)
	}
}

// closed waits for the connection to close and returns its code.
func (c *client) closed() (websocket.StatusCode, string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	for {
		if _, _, err := c.conn.Read(ctx); err != nil {
			var end websocket.CloseError
			errors.As(err, &end)
			return end.Code, end.Reason
		}
	}
}

func TestClientGetsTheWholeListAtEveryChange(t *testing.T) {
	g := newRig(t)
	key := g.keys["phone"]
	url := serve(t, g.own)
	one, two := dial(t, url+"/ws", key), dial(t, url+"/ws?key="+key, "")
	for _, c := range []*client{one, two} {
		c.want("")
	}
	if err := one.conn.Write(t.Context(), websocket.MessageText, []byte("hello?")); err != nil { // is ignored
		t.Fatal(err)
	}
	id := g.create(key, bash)
	for _, c := range []*client{one, two} {
		c.want("Bash:-")
	}
	g.send("POST", "/permission-request/"+id+"/respond", key, `{"choice":1}`)
	for _, c := range []*client{one, two} {
		c.want("Bash:allow")
	}
	id = g.create(key, `{"tool_name":"Edit"}`)
	one.want("Edit:- Bash:allow")
	g.send("POST", "/permission-request/"+id+"/cancel", key, "")
	one.want("Edit:cancelled Bash:allow")
	g.create(key, `{"tool_name":"Web","timeout":0.05}`)
	one.want("Web:- Edit:cancelled Bash:allow")
	one.want("Web:expired Edit:cancelled Bash:allow") // sent without being asked for
}

func TestAnswerOfAnotherSurfaceReachesClients(t *testing.T) {
	g := newRig(t)
	c := dial(t, serve(t, g.shared)+"/ws", g.keys["phone"]) // on the hub's port
	c.want("")
	id := g.create(g.keys["phone"], bash)
	c.want("Bash:-")
	g.Decide(nod.RequestID(id), nod.VerdictDeny)
	c.want("Bash:deny")
}

func TestRoomsAreSeparate(t *testing.T) {
	g := newRig(t)
	g.key("attic", "raise,view,answer", "attic")
	url := serve(t, g.own)
	attic, owner := dial(t, url+"/ws", g.keys["attic"]), dial(t, url+"/ws", g.keys["phone"])
	attic.want("")
	owner.want("")
	g.create(g.keys["phone"], `{"tool_name":"Owner"}`)
	owner.want("Owner:-")
	g.create(g.keys["attic"], `{"tool_name":"Attic"}`)
	attic.want("Attic:-")
}

func TestClientOfARoomThatOpensLater(t *testing.T) {
	g := newRig(t, func(o *options) { o.AnyKey = true })
	c := dial(t, serve(t, g.own)+"/ws?key=some-key-1", "")
	c.want("")
	g.create("some-key-1", `{"tool_name":"First"}`)
	c.want("First:-")
}

func TestCloseCodes(t *testing.T) {
	g := newRig(t)
	url := serve(t, g.own)
	phone := g.keys["phone"]
	g.key("hook", "raise", "")
	for _, tt := range []struct{ name, query, key string }{
		{"no key", "", ""},
		{"an unknown key", "", "12345678"},
		{"an unknown key in the address", "?key=12345678", ""},
		{"a short key in the header, although the address has a good one", "?key=" + phone, "short"},
		{"a key that may not view", "", g.keys["hook"]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, reason := dial(t, url+"/ws"+tt.query, tt.key).closed()
			if code != 4001 || reason != "unauthorized" {
				t.Errorf("%d %q", code, reason)
			}
		})
	}
	for _, path := range []string{"/ws/", "/", "/permission-requests"} {
		if _, res, err := websocket.Dial(t.Context(), url+path, nil); err == nil || res == nil || res.StatusCode != 400 {
			t.Errorf("an upgrade at %s: %v, %v", path, res, err)
		}
	}
}

func TestRevokedKeyClosesTheSocket(t *testing.T) {
	g := newRig(t)
	c := dial(t, serve(t, g.own)+"/ws", g.keys["phone"])
	c.want("")
	s, _ := auth.ParseSecret(g.keys["phone"])
	id := strings.Split(s.String(), "_")[1]
	if err := g.shared.Credentials.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if code, reason := c.closed(); code != 4001 || reason != "unauthorized" {
		t.Errorf("%d %q", code, reason)
	}
	if w := g.send("GET", "/permission-requests", g.keys["phone"], ""); w.Code != 401 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A client that reads nothing delays no other client.
func TestSlowClientDelaysNoOther(t *testing.T) {
	g := newRig(t)
	key := g.keys["phone"]
	url := serve(t, g.own)
	dial(t, url+"/ws", key) // never reads
	quick := dial(t, url+"/ws", key)
	quick.want("")
	quick.conn.SetReadLimit(64 << 20)
	end := make(chan error, 1)
	go func() { // reads all the time, as a client does
		var text []byte
		var err error
		for err == nil && !bytes.Contains(text, []byte(`"Last"`)) {
			_, text, err = quick.conn.Read(t.Context())
		}
		end <- err
	}()
	long := strings.Repeat("x", 60_000)
	for range 25 { // more than a socket's buffers hold: each makes two lists of all
		id := g.create(key, `{"tool_name":"Big","message":"`+long+`","tmux_target":"a"}`)
		g.send("POST", "/permission-request/"+id+"/cancel", key, "")
	}
	last := g.create(key, `{"tool_name":"Last"}`)
	if err := <-end; err != nil {
		t.Fatal(err)
	}
	if w := g.send("GET", "/permission-request/"+last+"/response", key, ""); w.Code != 200 {
		t.Error(w.Code)
	}
}

// Drivers hold back a dialog only while a person could answer.
func TestClientOfTheOwnersRoomCountsAsViewer(t *testing.T) {
	g := newRig(t)
	g.key("attic", "view,answer", "attic")
	g.key("screen", "view", "")
	url := serve(t, g.own)
	for _, name := range []string{"attic", "screen"} {
		c := dial(t, url+"/ws", g.keys[name])
		c.want("")
	}
	if n := g.Hub.Viewers(); n != 0 {
		t.Errorf("%d can answer nod's requests", n)
	}
	c := dial(t, url+"/ws", g.keys["phone"])
	c.want("")
	until(t, func() bool { return g.Hub.Viewers() == 1 })
	_ = c.conn.Close(websocket.StatusNormalClosure, "")
	until(t, func() bool { return g.Hub.Viewers() == 0 })
}

// until waits for something that has no channel.
func until(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 20_000 {
		if done() {
			return
		}
		<-tick.C
	}
	t.Fatal("it did not happen")
}
