// Package puck is a door for voice pucks that are drawn on a page: the hub runs
// the machine, the page shows its ring, says what it says, and tells what hands
// and voice do. One WebSocket, one puck.
package puck

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/converse"
	"nod/internal/httpd"
	"nod/internal/hub"
)

// Options are what the surface cannot know by itself.
type Options struct {
	Hub       *hub.Hub
	Gate      *httpd.Gate     // a credential in the first message goes through the same gate as a header
	Asker     *converse.Asker // nil: nobody to talk to
	Assistant string          // empty: the first one
	Proof     []string        // levels of risk that take a passkey
	Most      int             // pucks at once; 0: 64
	Log       *slog.Logger
	Now       func() time.Time
}

// Limits of a connection.
const (
	helloTime = 10 * time.Second
	readLimit = 16 << 10
	mostUsual = 64
)

// Close codes of our own, as HTTP would say it.
const (
	statusInvalid      = websocket.StatusCode(4400)
	statusUnauthorized = websocket.StatusCode(4401)
	statusForbidden    = websocket.StatusCode(4403)
)

type surface struct {
	Options
	seats chan struct{}
}

// Routes are all doors of the surface.
func Routes(o Options) []httpd.Route {
	if o.Most == 0 {
		o.Most = mostUsual
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &surface{Options: o, seats: make(chan struct{}, o.Most)}
	// Open, because a browser cannot send a header with a WebSocket: who is there is
	// asked after the first message.
	return []httpd.Route{{Method: "GET", Path: "/v1/puck", Open: true, Handle: s.accept}}
}

func (s *surface) accept(w http.ResponseWriter, r *http.Request) error {
	select {
	case s.seats <- struct{}{}:
		defer func() { <-s.seats }()
	default:
		return nod.Errorf(nod.Unavailable, "there are %d voice pucks on pages already: close one", s.Most)
	}
	ctx, cancel := httpd.WhileServing(r.Context())
	defer cancel()
	// The origin was checked by the same law as for every other route.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil // it has answered
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(readLimit)
	hello, err := greet(ctx, conn)
	if err == nil {
		err = s.admit(r.WithContext(ctx), hello, func(ctx context.Context, by nod.Actor) error {
			return newSession(s, conn, hello, by).run(ctx)
		})
	}
	part(ctx, conn, err)
	return nil
}

// greet reads the first message.
func greet(ctx context.Context, conn *websocket.Conn) (*Hello, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	var h Hello
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, nod.Errorf(nod.Invalid, "the first message is hello, as JSON").Because(err)
	}
	return &h, h.fit()
}

// admit asks the gate who is there, with what the first message brought, and
// lets them in while their credential is good.
func (s *surface) admit(r *http.Request, h *Hello, enter func(context.Context, nod.Actor) error) error {
	shown := httpd.Credential{Token: h.Token, Key: h.Key, Via: via}
	h.Token, h.Key = "", ""
	return s.Gate.Enter(r, httpd.Route{Right: nod.View, What: "look at a voice puck"}, shown, enter)
}

// part says goodbye, and why.
func part(ctx context.Context, conn *websocket.Conn, err error) {
	var told *nod.Error
	if !errors.As(err, &told) {
		if ctx.Err() != nil {
			_ = conn.Close(websocket.StatusGoingAway, "the hub is ending")
		}
		return
	}
	status := websocket.StatusTryAgainLater
	switch told.Code {
	case nod.Invalid:
		status = statusInvalid
	case nod.Unauthorized:
		status = statusUnauthorized
	case nod.Forbidden:
		status = statusForbidden
	}
	text, _ := json.Marshal(Note{Error: &Problem{told.Code, told.Message}})
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Write(ctx, websocket.MessageText, text)
	_ = conn.Close(status, string(told.Code))
}
