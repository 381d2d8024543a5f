// Package screen is a door for small displays with three buttons: the hub draws,
// the device shows and tells what was pressed. One WebSocket, described in
// docs/screen-protocol.md.
package screen

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// Options are what the surface cannot know by itself.
type Options struct {
	Hub     *hub.Hub
	Gate    *httpd.Gate // a credential in the first message goes through the same gate as a header
	Log     *slog.Logger
	Now     func() time.Time
	Address func() string // where a browser finds the hub
	Proof   []string      // levels of risk that take a passkey
	Dim     time.Duration // how long nothing happens before a screen is dimmed; 0: a minute
	Most    int           // screens at once; 0: 256
}

// Limits of a connection.
const (
	readLimit = 4096
	mostUsual = 256
)

type surface struct{ Options }

// Routes are all doors of the surface.
func Routes(o Options) []httpd.Route {
	if o.Dim == 0 {
		o.Dim = time.Minute
	}
	if o.Most == 0 {
		o.Most = mostUsual
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Address == nil {
		o.Address = func() string { return "" }
	}
	s := &surface{o}
	// Open, because a browser cannot send a header with a WebSocket: who is there is
	// asked after the first message.
	return []httpd.Route{{Method: "GET", Path: "/v1/screen", Open: true, Handle: s.door().Accept}}
}

// door asks who is there, and lets them in while their credential is good.
func (s *surface) door() *httpd.HandshakeSocket[Hello] {
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
