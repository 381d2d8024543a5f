package keyboard

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

const (
	pingEvery = 30 * time.Second
	// pongTime is how long a device may be silent: it does not answer while it fetches
	// four pictures.
	pongTime  = 25 * time.Second
	writeTime = 20 * time.Second
	readLimit = 4096
	mostConns = 4 // of one keyboard, which leaves old connections half open
)

// conn is one connection of a keyboard. Only its loop writes.
type conn struct {
	*Surface
	board *keyboard
	ws    *websocket.Conn
	ready chan struct{}
	end   context.CancelFunc

	// What the device shows, under the registry's lock.
	state string
	drawn bool // it has keys
	last  scene
}

func (c *conn) wake() {
	signal(c.ready)
}

// isKeyboard reports whether a request comes from a keyboard: its firmware sends the
// origin file://, which no web site can.
func isKeyboard(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && r.URL.Path == "/ws" &&
		slices.Contains(r.Header.Values("Sec-Websocket-Protocol"), subprotocol) &&
		(r.Header.Get("Origin") == deviceOrigin || r.Header.Get("Origin") == "")
}

// Middleware serves keyboards that come to /ws of the hub's own port, a path that is
// also Prompt Relay's, and leaves everything else to next.
func (s *Surface) Middleware(next http.Handler) http.Handler {
	own := httpd.Handle(s.Log, s.serveDevice)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isKeyboard(r) {
			own.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveDevice accepts a device by its token, or as one that has to be admitted.
func (s *Surface) serveDevice(w http.ResponseWriter, r *http.Request) error {
	if token, ok := bearer(r); ok {
		in, who, leave, err := s.Credentials.Admit(r.Context(), token, via)
		if err != nil {
			return err
		}
		defer leave()
		if who.Room != "" {
			return nod.Errorf(nod.Forbidden, "the token of %s was made for the room %q and opens nothing else", who.Name, who.Room)
		}
		return s.upgrade(w, r.WithContext(in), who)
	}
	return s.upgrade(w, r, nod.Actor{})
}

// serveSignedIn does the same for callers that the gate of the hub's port knows: by
// their headers or, for browsers, by their first message.
func (s *Surface) serveSignedIn(w http.ResponseWriter, r *http.Request) error {
	route := httpd.Route{Right: nod.Answering, What: "be a keyboard"}
	err := s.Gate.AdmitWith(r, route, httpd.Credential{}, func(ctx context.Context, who nod.Actor) error {
		return s.upgrade(w, r.WithContext(ctx), who)
	})
	if nod.CodeOf(err) != nod.Unauthorized || r.Header.Get("Origin") == "" || r.Header.Get("Authorization") != "" {
		return err
	}
	ws, err := accept(w, r)
	if err != nil {
		return nil // accept has answered it
	}
	defer func() { _ = ws.CloseNow() }()
	key, err := register(r.Context(), ws)
	if err == nil {
		err = s.Gate.AdmitWith(r, route, httpd.Credential{Key: key}, func(ctx context.Context, who nod.Actor) error {
			k, err := s.boards.identify(r, who)
			if err == nil {
				s.serveConn(ctx, ws, k)
			}
			return err
		})
	}
	switch nod.CodeOf(err) {
	case nod.Unauthorized:
		_ = ws.Close(statusUnauthorized, "unauthorized")
	case nod.Forbidden:
		_ = ws.Close(statusForbidden, "forbidden")
	}
	return nil
}

// Close codes for a browser that is refused; it cannot read more than that.
const (
	statusUnauthorized websocket.StatusCode = 4401
	statusForbidden    websocket.StatusCode = 4403
)

// register reads a browser's first message, which holds its half of a token.
func register(ctx context.Context, ws *websocket.Conn) (key string, err error) {
	ctx, cancel := context.WithTimeout(ctx, pongTime)
	defer cancel()
	_, text, err := ws.Read(ctx)
	if err != nil {
		return "", err
	}
	var first struct {
		Key string `json:"key"`
	}
	return first.Key, json.Unmarshal(text, &first)
}

// accept upgrades a connection. Its origin was checked before, because no library
// knows the origin file://.
func accept(w http.ResponseWriter, r *http.Request) (*websocket.Conn, error) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: []string{subprotocol}})
	if err == nil {
		ws.SetReadLimit(readLimit)
	}
	return ws, err
}

func (s *Surface) upgrade(w http.ResponseWriter, r *http.Request, who nod.Actor) error {
	k, err := s.boards.identify(r, who)
	if err != nil {
		return err
	}
	ws, err := accept(w, r)
	if err != nil {
		s.boards.forget(k)
		return nil // accept has answered it
	}
	defer func() { _ = ws.CloseNow() }()
	s.serveConn(r.Context(), ws, k)
	return nil
}

// serveConn serves a keyboard until its connection ends.
func (s *Surface) serveConn(ctx context.Context, ws *websocket.Conn, k *keyboard) {
	ctx, cancel := httpd.WhileServing(ctx)
	defer cancel()
	c := &conn{Surface: s, board: k, ws: ws, ready: make(chan struct{}, 1), end: cancel, state: stateIdle}
	defer s.boards.attach(c)()
	go c.read(ctx)
	c.showUntilGone(ctx)
	if ctx.Err() != nil && nod.CodeOf(context.Cause(ctx)) == nod.Unavailable {
		_ = ws.Close(websocket.StatusGoingAway, "")
	}
}

// showUntilGone keeps the keys up to date until the device is gone.
func (c *conn) showUntilGone(ctx context.Context) {
	beat := time.NewTicker(pingEvery)
	defer beat.Stop()
	again := time.NewTimer(time.Hour)
	defer again.Stop()
	var follow context.CancelFunc
	for ctx.Err() == nil {
		if admitted := c.admittedNow(); admitted && follow == nil {
			var following context.Context
			following, follow = context.WithCancel(ctx)
			go c.follow(following)
		} else if !admitted && follow != nil {
			follow()
			follow = nil
		}
		next, err := c.refresh(ctx)
		if err != nil {
			if ctx.Err() == nil {
				c.Log.Info("a keyboard is gone", "keyboard", c.board.id, "err", err)
			}
			break
		}
		again.Reset(next)
		select {
		case <-c.ready:
		case <-again.C:
		case <-beat.C:
			go c.ping(ctx)
		case <-ctx.Done():
		}
	}
	if follow != nil {
		follow()
	}
}

func (c *conn) admittedNow() bool {
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	return c.board.admitted() && c.board.newest() == c
}

// follow wakes the connection at every event. A keyboard that follows counts as a
// viewer who can answer, so it follows only once it is admitted.
func (c *conn) follow(ctx context.Context) {
	c.desk().Mirror(ctx, func(*nod.State) { c.wake() }, func(*nod.Event) { c.wake() })
	if ctx.Err() == nil { // the hub closes
		c.end()
	}
}

func (c *conn) desk() hub.Desk { return c.Hub.Desk(c.by()) }

func (c *conn) by() nod.Actor {
	c.boards.mu.Lock()
	defer c.boards.mu.Unlock()
	return c.board.actor
}

func (c *conn) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pongTime)
	defer cancel()
	if c.ws.Ping(ctx) != nil {
		c.end()
	}
}

// read handles what the device sends. Like the original's server it ignores nonsense:
// the device could do nothing about an error.
func (c *conn) read(ctx context.Context) {
	defer c.end()
	for {
		_, text, err := c.ws.Read(context.WithoutCancel(ctx))
		if err != nil {
			return
		}
		var m deviceMessage
		if json.Unmarshal(text, &m) != nil {
			c.Log.Debug("a keyboard said something that is no JSON", "keyboard", c.board.id)
			continue
		}
		if m.Type == "key_press" {
			c.handlePress(ctx, m)
		}
	}
}
