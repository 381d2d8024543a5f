package relay

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/net/httpd"
)

const (
	pingEvery = 30 * time.Second
	// sendTime is how long a client may take to receive one list before it counts as dead.
	sendTime = 10 * time.Second
	// closeUnauthorized is the code by which clients know that their key is wrong.
	closeUnauthorized websocket.StatusCode = 4001
	mostSaid                               = 1 << 20 // what clients send is ignored
)

// upgrades reports whether a request wants to become a WebSocket.
func upgrades(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Socket is GET /ws. A wrong key is reported by a close code after the handshake,
// because a browser cannot see the status of a handshake.
func (s *Surface) Socket(w http.ResponseWriter, r *http.Request) {
	if !upgrades(r) {
		c := &call{Surface: s, w: w, r: r}
		s.serve(c, nil)
		return
	}
	who, refused := s.admission.admitSocket(r)
	if who != nil {
		defer who.leave()
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	if refused == "" && !who.Can(nod.View) {
		refused = unauthorized
		_ = s.Hub.Desk(who.Actor).Allowed(r.Context(), nod.View, "follow requests") // recorded, if it is an agent
	}
	if refused != "" {
		_ = conn.Close(closeUnauthorized, string(unauthorized))
		return
	}
	ctx, cancel := httpd.WhileServing(who.ctx)
	defer cancel()
	s.attend(ctx, conn, who)
	switch cause := context.Cause(ctx); nod.CodeOf(cause) {
	case nod.Unauthorized:
		_ = conn.Close(closeUnauthorized, string(unauthorized))
	case nod.Unavailable:
		_ = conn.Close(websocket.StatusGoingAway, "")
	}
}

// attend sends the list of a room now and whenever it changes. A slow client gets only
// the newest list and delays no other client. Reading and writing have contexts of
// their own, because one that ends closes the connection without a close code.
func (s *Surface) attend(ctx context.Context, conn *websocket.Conn, who *caller) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go ignore(cancel, conn)
	defer s.registry.come(who)()
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	var last []byte
	for ctx.Err() == nil {
		update, wake := s.registry.news(who.room)
		if !bytes.Equal(last, update) {
			if send(conn, update) != nil {
				return
			}
			last = update
		}
		select {
		case <-wake:
		case <-tick.C:
			go ping(cancel, conn)
		case <-ctx.Done():
		}
	}
}

func send(conn *websocket.Conn, update []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), sendTime)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, update)
}

// ping ends a client that does not answer before the next ping is due.
func ping(end context.CancelFunc, conn *websocket.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), pingEvery)
	defer cancel()
	if conn.Ping(ctx) != nil {
		end()
	}
}

// ignore discards what clients send, and notices when they leave.
func ignore(end context.CancelFunc, conn *websocket.Conn) {
	defer end()
	conn.SetReadLimit(mostSaid)
	for {
		_, in, err := conn.Reader(context.Background())
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, in); err != nil {
			return
		}
	}
}
