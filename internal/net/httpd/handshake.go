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

// WebSocket close codes that mirror HTTP statuses.
const (
	StatusInvalid      = websocket.StatusCode(4400)
	StatusUnauthorized = websocket.StatusCode(4401)
	StatusForbidden    = websocket.StatusCode(4403)
)

// helloTimeout limits how long the first message may take.
const helloTimeout = 10 * time.Second

// HandshakeSocket is a WebSocket endpoint whose first message, H, carries the
// credential, because a browser cannot send headers with a WebSocket.
type HandshakeSocket[H any] struct {
	Gate        *Gate
	Route       Route         // Right and What are used
	Slots       chan struct{} // a semaphore: how many connections at once
	FullMessage string        // the error when all are in use
	Limit       int64         // of one message, in bytes
	// CredentialOf validates the first message and removes the credential from it.
	CredentialOf func(*H) (Credential, error)
	// Serve runs until it returns or the credential ends.
	Serve func(ctx context.Context, conn *websocket.Conn, hello *H, by nod.Actor) error
	// Problem makes the last message from an error.
	Problem func(*nod.Error) any
}

// Accept handles one connection.
func (g *HandshakeSocket[H]) Accept(w http.ResponseWriter, r *http.Request) error {
	select {
	case g.Slots <- struct{}{}:
		defer func() { <-g.Slots }()
	default:
		return nod.Errorf(nod.Unavailable, "%s", g.FullMessage)
	}
	ctx, cancel := WhileServing(r.Context())
	defer cancel()
	// The origin was checked as for every other route.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil // Accept has sent the response
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

// closeWith closes the connection and says why.
func (g *HandshakeSocket[H]) closeWith(ctx context.Context, conn *websocket.Conn, err error) {
	var problem *nod.Error
	if !errors.As(err, &problem) {
		if ctx.Err() != nil {
			_ = conn.Close(websocket.StatusGoingAway, "the hub is ending")
		}
		return
	}
	status := websocket.StatusTryAgainLater
	switch problem.Code {
	case nod.Invalid:
		status = StatusInvalid
	case nod.Unauthorized:
		status = StatusUnauthorized
	case nod.Forbidden:
		status = StatusForbidden
	}
	text, _ := json.Marshal(g.Problem(problem))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Write(ctx, websocket.MessageText, text)
	_ = conn.Close(status, string(problem.Code))
}
