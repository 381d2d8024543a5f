package httpd

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"nod"
)

// Close codes of our own, as HTTP would say it.
const (
	StatusInvalid      = websocket.StatusCode(4400)
	StatusUnauthorized = websocket.StatusCode(4401)
	StatusForbidden    = websocket.StatusCode(4403)
)

// helloTimeout is how long somebody may take to say who they are.
const helloTimeout = 10 * time.Second

// HandshakeSocket is a WebSocket whose first message says who is there, because a browser
// cannot send a header with one. H is that message.
type HandshakeSocket[H any] struct {
	Gate        *Gate
	Route       Route         // what it takes: Right and What
	Slots       chan struct{} // how many at once
	FullMessage string        // what is said when they are taken
	Limit       int64         // of what is read
	// Shown takes the credential out of a first message that fits, so that it goes no
	// further.
	CredentialOf func(*H) (Credential, error)
	// Inside runs while the credential is good.
	Serve func(ctx context.Context, conn *websocket.Conn, hello *H, by nod.Actor) error
	// Problem is a last message that says what is wrong.
	Problem func(*nod.Error) any
}

// Accept is the door.
func (g *HandshakeSocket[H]) Accept(w http.ResponseWriter, r *http.Request) error {
	select {
	case g.Slots <- struct{}{}:
		defer func() { <-g.Slots }()
	default:
		return nod.Errorf(nod.Unavailable, "%s", g.FullMessage)
	}
	ctx, cancel := WhileServing(r.Context())
	defer cancel()
	// The origin was checked by the same law as for every other route.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil // it has answered
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(g.Limit)
	hello, shown, err := g.readHello(ctx, conn)
	if err == nil {
		err = g.Gate.AdmitWith(r.WithContext(ctx), g.Route, shown, func(ctx context.Context, by nod.Actor) error {
			return g.Serve(ctx, conn, hello, by)
		})
	}
	g.closeWith(ctx, conn, err)
	return nil
}

// readHello reads the first message.
func (g *HandshakeSocket[H]) readHello(ctx context.Context, conn *websocket.Conn) (*H, Credential, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTimeout)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, Credential{}, err
	}
	hello := new(H)
	if err := json.Unmarshal(text, hello); err != nil {
		return nil, Credential{}, nod.Errorf(nod.Invalid, "the first message is hello, as JSON").Because(err)
	}
	shown, err := g.CredentialOf(hello)
	return hello, shown, err
}

// closeWith says goodbye, and why.
func (g *HandshakeSocket[H]) closeWith(ctx context.Context, conn *websocket.Conn, err error) {
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
		status = StatusInvalid
	case nod.Unauthorized:
		status = StatusUnauthorized
	case nod.Forbidden:
		status = StatusForbidden
	}
	text, _ := json.Marshal(g.Problem(told))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Write(ctx, websocket.MessageText, text)
	_ = conn.Close(status, string(told.Code))
}
