// Package screen serves small displays with three buttons: the hub draws, the device
// shows the picture and reports what was pressed. docs/screen-protocol.md describes its
// WebSocket.
package screen

import (
	"context"
	"fmt"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// Needs is what the surface needs of others.
type Needs struct {
	Gate *httpd.Gate // a credential in the first message goes through the same gate as a header
}

// Limits of a connection.
const (
	readLimit = 4096
	mostUsual = 256
)

// Surface is all screens.
type Surface struct {
	adapter.Deps
	Needs
	Dim  time.Duration // how long nothing happens before a screen is dimmed
	Most int           // screens at once
}

// New makes the surface.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	if d.Address == nil {
		d.Address = func() string { return "" }
	}
	return &Surface{Deps: d, Needs: n, Dim: time.Minute, Most: mostUsual}
}

// Routes is one endpoint. It is open, because a browser cannot send a header with a
// WebSocket: the credential comes in the first message.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{{Method: "GET", Path: "/v1/screen", Open: true, Handle: s.handshake().Accept}}
}

// handshake authenticates a device, and serves it while its credential is valid.
func (s *Surface) handshake() *httpd.HandshakeSocket[Hello] {
	return &httpd.HandshakeSocket[Hello]{
		Gate: s.Gate, Route: httpd.Route{Right: nod.View, What: "look at a screen"}, Limit: readLimit,
		Slots: make(chan struct{}, s.Most), FullMessage: fmt.Sprintf("there are %d screens already: close one", s.Most),
		CredentialOf: func(h *Hello) (httpd.Credential, error) {
			shown := httpd.Credential{Token: h.Token, Key: h.Key, Via: "screen"}
			h.Token, h.Key = "", ""
			return shown, h.fit()
		},
		Serve: func(ctx context.Context, conn *websocket.Conn, hello *Hello, by nod.Actor) error {
			return newSession(s, conn, hello, by).run(ctx)
		},
		Problem: func(told *nod.Error) any { return Note{Type: "error", Code: told.Code, Message: told.Message} },
	}
}
