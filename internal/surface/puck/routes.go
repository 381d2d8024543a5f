// Package puck is a door for voice pucks that are drawn on a page: the hub runs
// the machine, the page shows its ring, says what it says, and tells what hands
// and voice do. One WebSocket, one puck.
package puck

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// Options are what the surface cannot know by itself.
type Options struct {
	Hub       *hub.Hub
	Gate      *httpd.Gate // a credential in the first message goes through the same gate as a header
	Asker     *talk.Asker // nil: nobody to talk to
	Assistant string      // empty: the first one
	Proof     []string    // levels of risk that take a passkey
	Most      int         // pucks at once; 0: 64
	Log       *slog.Logger
	Now       func() time.Time
}

// Limits of a connection.
const (
	readLimit = 16 << 10
	mostUsual = 64
)

type surface struct{ Options }

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
	s := &surface{o}
	// Open, because a browser cannot send a header with a WebSocket: who is there is
	// asked after the first message.
	return []httpd.Route{{Method: "GET", Path: "/v1/puck", Open: true, Handle: s.door().Accept}}
}

// door asks who is there, and lets them in while their credential is good.
func (s *surface) door() *httpd.HandshakeSocket[Hello] {
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
		Problem: func(told *nod.Error) any { return Note{Error: &Problem{told.Code, told.Message}} },
	}
}
