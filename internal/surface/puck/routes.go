// Package puck serves voice pucks that are drawn on a web page: the hub runs the state
// machine; the page shows its ring, speaks, and reports what the person does and says.
// Each puck is one WebSocket.
package puck

import (
	"context"
	"fmt"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// Needs is what the surface needs of others.
type Needs struct {
	Gate      *httpd.Gate   // a credential in the first message goes through the same gate as a header
	Assistant string        // who answers; empty: the first
	Turn      time.Duration // how long an answer may take
}

// Limits.
const (
	readLimit = 16 << 10 // bytes of one message
	mostUsual = 64       // pucks at once
)

// Surface is all pucks on pages.
type Surface struct {
	adapter.Deps
	Needs
	Most  int         // pucks at once
	asker *talk.Asker // nil: there is no assistant
}

// New makes the surface.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	s := &Surface{Deps: d, Needs: n, Most: mostUsual}
	if !d.Demo {
		s.asker = talk.New(d.Deps, n.Turn)
	}
	return s
}

// Routes is one endpoint. It is open, because a browser cannot send a header with a
// WebSocket: the credential comes in the first message.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{{Method: "GET", Path: "/v1/puck", Open: true, Handle: s.handshake().Accept}}
}

// handshake authenticates a page, and serves it while its credential is valid.
func (s *Surface) handshake() *httpd.HandshakeSocket[Hello] {
	return &httpd.HandshakeSocket[Hello]{
		Gate: s.Gate, Route: httpd.Route{Right: nod.View, What: "look at a voice puck"}, Limit: readLimit,
		Slots: make(chan struct{}, s.Most), FullMessage: fmt.Sprintf("there are %d voice pucks on pages already: close one", s.Most),
		CredentialOf: func(h *Hello) (httpd.Credential, error) {
			shown := httpd.Credential{Token: h.Token, Key: h.Key, Via: via}
			h.Token, h.Key = "", ""
			return shown, h.fit()
		},
		Serve: func(ctx context.Context, conn *websocket.Conn, hello *Hello, by nod.Actor) error {
			return newSession(s, conn, hello, by).run(ctx)
		},
		Problem: func(err *nod.Error) any { return Note{Error: &Problem{err.Code, err.Message}} },
	}
}
