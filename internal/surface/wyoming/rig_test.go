package wyoming

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// rig is a hub with this server and a scripted assistant. Its connections are pipes, so
// that everything happens in the time of a bubble.
type rig struct {
	*hubtest.Rig
	listener *listener
	heard    []nod.Message

	mu        sync.Mutex
	announced []string
	busy      bool // announcing fails
}

// byTool judges requests by the name of their tool.
var byTool = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch r.Tool {
	case "Wipe":
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}}
	case "Pay":
		return hub.Judgement{Risk: &nod.Risk{Level: "unknown"}}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "write"}}
})

// options are everything that a test can change before the server is made.
type options struct {
	Config
	adapter.Deps
	Needs
}

func newRig(t *testing.T, change ...func(*rig, *options)) *rig {
	t.Helper()
	g := &rig{listener: &listener{calls: make(chan net.Conn), closed: make(chan struct{})}}
	g.Rig = hubtest.New(t, hubtest.Options{Options: hub.Options{
		Policy: byTool, Proof: []string{"unknown"}, Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}},
	}})
	scripted.New(t, g.Hub, func(turn *scripted.Turn) {
		g.heard = append(g.heard, turn.Message)
		assistant(g, turn)
	})
	o := options{defaults(),
		adapter.Deps{Deps: g.Deps(), Version: "1.2", Address: func() string { return "http://desk:8742" }},
		Needs{
			Asker: talk.New(g.Deps(), 10*time.Minute), Context: 5 * time.Minute, Announce: g.announce,
			Own: func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.1.5")} },
		}}
	o.TrustedNetworks = []netip.Prefix{netip.MustParsePrefix("192.168.1.0/24")}
	for _, f := range change {
		f(g, &o)
	}
	g.Run(func(ctx context.Context) {
		if err := New(o.Config, o.Deps, o.Needs).Serve(ctx, g.listener); err != nil {
			t.Error(err)
		}
	})
	return g
}

func (g *rig) announce(_ context.Context, satellite, text string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy {
		return nod.Errorf(nod.Unavailable, "the satellite is busy")
	}
	g.announced = append(g.announced, satellite+": "+text)
	return nil
}

// listener accepts connections from any address.
type listener struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (d *listener) Accept() (net.Conn, error) {
	select {
	case c := <-d.calls:
		return c, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}
func (d *listener) Close() error   { d.once.Do(func() { close(d.closed) }); return nil }
func (d *listener) Addr() net.Addr { return &net.TCPAddr{} }

// called is a connection from an address.
type called struct {
	net.Conn
	from netip.Addr
}

func (c called) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(c.from, 40000))
}

// dial is Home Assistant's end of a new connection.
func (g *rig) dial(from string) (net.Conn, *bufio.Reader) {
	g.Helper()
	here, there := net.Pipe()
	g.listener.calls <- called{there, netip.MustParseAddr(from)}
	g.Cleanup(func() { _ = here.Close() })
	_ = here.SetDeadline(time.Now().Add(time.Minute))
	return here, bufio.NewReader(here)
}

// utter sends one event on a connection of its own, as Home Assistant does, and returns
// the answer.
func (g *rig) utter(from, kind, data string) string {
	g.Helper()
	c, r := g.dial(from)
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, `{"type":%q,"version":"1.8.0","data_length":%d}`+"\n%s", kind, len(data), data); err != nil {
		return "(hung up)"
	}
	return next(r)
}

// next is the next event as a line.
func next(r *bufio.Reader) string {
	f, err := readFrame(r)
	if err != nil {
		return "(hung up)"
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f.Data); err != nil {
		return err.Error()
	}
	return f.Type + " " + strings.TrimSpace(b.String())
}

// assistant does what the question says.
func assistant(g *rig, turn *scripted.Turn) {
	id := nod.RequestID(fmt.Sprintf("request-%d", len(g.heard)))
	ask := func(r nod.Request) *nod.Request {
		expires := time.Now().Add(5 * time.Minute)
		r.ID, r.OneTap, r.ExpiresAt = id, true, &expires
		return turn.Ask(r)
	}
	switch word, rest, _ := strings.Cut(turn.Message.Text, " "); word {
	case "say":
		turn.Reply(rest)
	case "off":
		turn.Verdict(ask(nod.Request{Tool: "mcp__home-assistant__HassTurnOff", Input: json.RawMessage(`{"name":"` + rest + `"}`), Title: "{…}"}), "It is off now.", "Then it stays on.")
	case "wipe":
		turn.Verdict(ask(nod.Request{Tool: "Wipe", Title: rest}), "Wiped.", "Kept.")
	case "pay":
		turn.Verdict(ask(nod.Request{Tool: "Pay", Title: rest}), "Paid.", "Not paid.")
	case "choose":
		r := ask(nod.Request{Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which lamp?", Questions: []nod.Question{
			{Text: "Which lamp?", Choices: []nod.Choice{{Label: "Kitchen lamp"}, {Label: "Hall lamp"}}}}})
		turn.Reply("You chose " + r.Decision.Answers["Which lamp?"].Joined() + ".")
	case "slow":
		turn.Hear()
		select {
		case <-time.After(20 * time.Second): // of the bubble's own clock
		case <-turn.Context().Done():
			return
		}
		if lamp, ok := strings.CutPrefix(rest, "off "); ok {
			turn.Verdict(ask(nod.Request{Tool: "mcp__home-assistant__HassTurnOff", Input: json.RawMessage(`{"name":"` + lamp + `"}`), Title: "{…}"}), "It is off now.", "Then it stays on.")
			return
		}
		turn.Reply("At last: " + rest + ".")
	case "fail":
		turn.Fail(nod.Trouble(rest), "It failed: "+rest)
	default:
		turn.Reply("You said: " + turn.Message.Text + ".")
	}
}
