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

// helloTime is how long somebody may take to say who they are.
const helloTime = 10 * time.Second

// Greeted is a WebSocket whose first message says who is there, because a browser
// cannot send a header with one. H is that message.
type Greeted[H any] struct {
	Gate  *Gate
	Route Route         // what it takes: Right and What
	Seats chan struct{} // how many at once
	Full  string        // what is said when they are taken
	Limit int64         // of what is read
	// Shown takes the credential out of a first message that fits, so that it goes no
	// further.
	Shown func(*H) (Credential, error)
	// Inside runs while the credential is good.
	Inside func(ctx context.Context, conn *websocket.Conn, hello *H, by nod.Actor) error
	// Problem is a last message that says what is wrong.
	Problem func(*nod.Error) any
}

// Accept is the door.
func (g *Greeted[H]) Accept(w http.ResponseWriter, r *http.Request) error {
	select {
	case g.Seats <- struct{}{}:
		defer func() { <-g.Seats }()
	default:
		return nod.Errorf(nod.Unavailable, "%s", g.Full)
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
	hello, shown, err := g.greet(ctx, conn)
	if err == nil {
		err = g.Gate.Enter(r.WithContext(ctx), g.Route, shown, func(ctx context.Context, by nod.Actor) error {
			return g.Inside(ctx, conn, hello, by)
		})
	}
	g.part(ctx, conn, err)
	return nil
}

// greet reads the first message.
func (g *Greeted[H]) greet(ctx context.Context, conn *websocket.Conn) (*H, Credential, error) {
	ctx, cancel := context.WithTimeout(ctx, helloTime)
	defer cancel()
	_, text, err := conn.Read(ctx)
	if err != nil {
		return nil, Credential{}, err
	}
	hello := new(H)
	if err := json.Unmarshal(text, hello); err != nil {
		return nil, Credential{}, nod.Errorf(nod.Invalid, "the first message is hello, as JSON").Because(err)
	}
	shown, err := g.Shown(hello)
	return hello, shown, err
}

// part says goodbye, and why.
func (g *Greeted[H]) part(ctx context.Context, conn *websocket.Conn, err error) {
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
