// Package wyoming makes nod a conversation agent that Home Assistant discovers: a handle
// program of the Wyoming protocol. The protocol has no credentials, so callers are
// admitted by their addresses.
package wyoming

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
	"nod/internal/talk"
)

// Needs is what the surface needs of others.
type Needs struct {
	Asker   *talk.Asker   // waits as long as a turn may take
	Context time.Duration // how long a conversation remembers, unless its assistant says otherwise
	Rate    int           // questions a minute for one client; 0: any number
	Own     func() []netip.Addr
	// Announce says something on a satellite that asked before; nil: it is said when a
	// person speaks there again.
	Announce func(ctx context.Context, satellite, text string) error
	// Answering is the satellite that waits for an answer now. Home Assistant before
	// 2026.4 does not say where a person spoke; nil: this cannot be found out.
	Answering func() string
	// Found lets Home Assistant find the listener by mDNS; nil: it is not announced.
	Found func(ctx context.Context, port int)
}

// via is this surface's name in the log and at the beginning of session ids.
const via = "wyoming"

const (
	idleTime    = 30 * time.Second // for one whole event
	writeTime   = 10 * time.Second
	mostOpen    = 64 // connections at once
	mostGarbage = 20 // invalid events before a connection is closed
)

// Surface is one server.
type Surface struct {
	Config
	adapter.Deps
	Needs
	link  hub.Link
	rate  talk.Rate
	told  talk.ReadOut
	yeses talk.Yeses
	kept  kept
	tasks sync.WaitGroup // work that may outlive its connection
	life  context.Context

	closed atomic.Bool // its address did not open

	mu      sync.Mutex
	refused map[netip.Addr]struct{} // addresses that were logged
}

// New makes a server; Run opens its address.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{Config: c, Deps: d, Needs: n, link: d.Hub.Link(via), rate: talk.Rate{Most: n.Rate}, refused: map[netip.Addr]struct{}{}}
}

// Run listens and serves until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", s.Listen)
	if err != nil {
		s.Log.Error("Home Assistant cannot talk with nod: wyoming.listen does not open; is another program there?", "listen", s.Listen, "err", err)
		s.closed.Store(true)
		return
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && s.Beyond() && s.Found != nil {
		s.tasks.Go(func() { s.Found(ctx, tcp.Port) })
	}
	if err := s.Serve(ctx, l); err != nil && ctx.Err() == nil {
		s.Log.Error("Home Assistant cannot talk with nod any more", "err", err)
	}
}

// Health reports that the address did not open.
func (s *Surface) Health() error {
	if s.closed.Load() {
		return nod.Errorf(nod.Unavailable, "wyoming.listen = %q does not open; is another program there?", s.Listen)
	}
	return nil
}

// Serve accepts connections until ctx ends, and closes the listener.
func (s *Surface) Serve(ctx context.Context, l net.Listener) error {
	s.life = ctx
	defer s.tasks.Wait()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	open := make(chan struct{}, mostOpen)
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			s.Log.Warn("a connection could not be taken", "err", err)
			if !pause.For(ctx, time.Second) {
				return nil
			}
			continue
		}
		select {
		case open <- struct{}{}:
			s.tasks.Go(func() {
				defer func() { <-open }()
				s.serve(ctx, c)
			})
		default: // no honest client holds so many open
			_ = c.Close()
		}
	}
}

// serve reads the events of one connection.
func (s *Surface) serve(ctx context.Context, c net.Conn) {
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	by, ok := s.admit(c)
	if !ok {
		return
	}
	r := bufio.NewReader(c)
	for garbage := 0; garbage < mostGarbage; {
		_ = c.SetReadDeadline(time.Now().Add(idleTime))
		f, err := readFrame(r)
		switch {
		case errors.Is(err, errGarbage):
			garbage++
			continue
		case err != nil:
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				s.Log.Debug("a Wyoming connection ended", "from", by.guest.ID, "err", err)
			}
			return
		}
		if err := s.handle(ctx, c, by, f); err != nil {
			s.Log.Debug("an answer was not taken", "from", by.guest.ID, "err", err)
			return
		}
	}
	s.Log.Warn("somebody does not speak Wyoming", "from", by.guest.ID)
}

// visitor is the caller at the other end.
type visitor struct {
	guest    nod.Actor
	confirms bool // a yes from there counts
}

// admit identifies callers by their addresses. This machine may ask, but agents run on
// it too and must not answer themselves, so a yes from it counts only if the owner has
// configured its address. Other machines are admitted only if configured.
func (s *Surface) admit(c net.Conn) (visitor, bool) {
	from, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return visitor{}, false
	}
	addr := from.Addr().Unmap().WithZone("")
	trusted := slices.ContainsFunc(s.TrustedNetworks, func(p netip.Prefix) bool { return p.Contains(addr) })
	own := addr.IsLoopback() || slices.Contains(s.Own(), addr)
	if own { // a network that happens to include this machine does not count
		trusted = slices.ContainsFunc(s.TrustedNetworks, func(p netip.Prefix) bool { return p.IsSingleIP() && p.Addr() == addr })
	}
	if !own && !trusted {
		s.refuse(addr)
		return visitor{}, false
	}
	return visitor{nod.Actor{
		Kind: nod.ActorPerson, Name: words.In(words.English).Say(words.VoiceHome), Via: via, ID: addr.String(),
		Rights: nod.RightsOf(nod.View, nod.Answering),
	}, trusted}, true
}

// mostRefused is how many refused addresses are remembered.
const mostRefused = 1000

func (s *Surface) refuse(addr netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.refused[addr]; again {
		return
	}
	if len(s.refused) >= mostRefused {
		clear(s.refused)
	}
	s.refused[addr] = struct{}{}
	s.Log.Warn("somebody from a network that is not trusted wants to talk: if that is your Home Assistant, add its address to wyoming.trusted_networks", "from", addr)
}

// handle answers one event. Unknown events are ignored, as the protocol demands.
func (s *Surface) handle(ctx context.Context, c net.Conn, by visitor, f frame) error {
	switch f.Type {
	case "describe":
		return send(c, "info", s.info())
	case "ping":
		return send(c, "pong", f.Data)
	case "transcript":
		var t transcript
		if err := f.read(&t); err != nil {
			return send(c, "not-handled", spoken{words.In(words.English).Say(words.VoiceUnclear)})
		}
		text, ok := s.answer(ctx, by, t)
		kind := "handled"
		if !ok {
			kind = "not-handled"
		}
		return send(c, kind, spoken{text})
	}
	return nil
}

// transcript is something that was said.
type transcript struct {
	Text     string `json:"text"`
	Language string `json:"language"`
	Context  struct {
		Conversation string `json:"conversation_id"`
		Device       string `json:"device_id"`
		Satellite    string `json:"satellite_id"`
	} `json:"context"`
}

// UnmarshalJSON accepts a context of any shape, because it is optional.
func (t *transcript) UnmarshalJSON(b []byte) error {
	var plain struct {
		Text     string          `json:"text"`
		Language string          `json:"language"`
		Context  json.RawMessage `json:"context"`
	}
	if err := json.Unmarshal(b, &plain); err != nil {
		return err
	}
	t.Text, t.Language = plain.Text, strings.TrimSpace(plain.Language)
	if len(plain.Context) > 0 {
		_ = json.Unmarshal(plain.Context, &t.Context)
	}
	return nil
}

// spoken is an answer.
type spoken struct {
	Text string `json:"text"`
}

func send(c net.Conn, kind string, data any) error {
	b, err := encode(kind, data)
	if err != nil {
		return err
	}
	_ = c.SetWriteDeadline(time.Now().Add(writeTime))
	_, err = c.Write(b)
	return err
}
