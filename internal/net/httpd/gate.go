package httpd

import (
	"context"
	"net"
	"net/http"
	"strings"

	"nod"
	"nod/internal/net/auth"
)

// Gate finds out who is there and whether they may.
type Gate struct {
	Credentials *auth.Credentials
	Local       *auth.Local
	// Allow refuses an actor without a right, in words, and records what must be
	// recorded: hub.Desk.Allowed.
	Allow func(ctx context.Context, by nod.Actor, right nod.Right, what string) error
	// Proof spends a ticket and tells whether it confirms this request, or that
	// nobody can tell; nil: no ticket does. passkey.Ceremonies.Redeem.
	Proof func(ctx context.Context, by nod.Actor, ticket string, id nod.RequestID) (bool, error)
	// Neighbour finds somebody who needs no credential, because the person who runs
	// the hub trusts their network; nil: nobody.
	Trusted func(*http.Request) (nod.Actor, bool)
	Hosts   []string // names under which web pages of this hub may be served behind a proxy
}

type actorKey struct{}

// ActorOf is who sends a request; nobody (the zero Actor) on an open route
// without a credential.
func ActorOf(ctx context.Context) nod.Actor {
	a, _ := ctx.Value(actorKey{}).(nod.Actor)
	return a
}

// admit checks a request against its route. leave must be called afterwards.
func (g *Gate) admit(r *http.Request, rt Route) (_ *http.Request, leave func(), err error) {
	ctx, who, leave, err := g.identify(r, rt.Right)
	if err != nil {
		if rt.Open {
			return r, func() {}, nil
		}
		return nil, nil, err
	}
	if rt.Right != 0 && !rt.Open {
		if err := g.require(ctx, who, rt.Right, rt.what(r)); err != nil {
			leave()
			return nil, nil, err
		}
	}
	if who, err = g.prove(r, rt, who); err != nil {
		leave()
		return nil, nil, err
	}
	return r.WithContext(context.WithValue(ctx, actorKey{}, who)), leave, nil
}

// Credential is one that comes after the headers: a browser cannot send any with
// a WebSocket, so it says who it is with its first message.
type Credential struct {
	Token string // whole, as a device has it
	Key   string // a browser's half; its cookie has the other
	Via   string
}

// AdmitWith admits somebody to a route with such a credential, and lets them be
// inside while it is good.
func (g *Gate) AdmitWith(r *http.Request, rt Route, c Credential, inside func(ctx context.Context, who nod.Actor) error) error {
	r = r.Clone(r.Context())
	for name, value := range map[string]string{"Authorization": c.Token, KeyHeader: c.Key, "Nod-Via": c.Via} {
		if name == "Authorization" && value != "" {
			value = "Bearer " + value
		}
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	r, leave, err := g.admit(r, rt)
	if err != nil {
		return err
	}
	defer leave()
	return inside(r.Context(), ActorOf(r.Context()))
}

// identify trusts a token wherever it comes from, and without one only a
// process that it can look at. A token in the address is none: addresses end up
// in logs.
func (g *Gate) identify(r *http.Request, right nod.Right) (context.Context, nod.Actor, func(), error) {
	via := r.Header.Get("Nod-Via")
	header := r.Header.Get("Authorization")
	if header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return nil, nod.Actor{}, nil, nod.Errorf(nod.Unauthorized, "send a token, with the header Authorization: Bearer nod_…")
		}
		return g.byToken(r, strings.TrimSpace(token), via)
	}
	if token, ok := browserToken(r); ok {
		return g.byToken(r, token, via)
	}
	if conn := LocalConn(r.Context()); conn != nil && g.Local != nil {
		if right == nod.Raise {
			// Every process of this user may raise, agents above all: looking at the
			// process would cost each of an agent's steps a millisecond for nothing.
			return r.Context(), auth.UnidentifiedProcess(via), func() {}, nil
		}
		return r.Context(), g.Local.Actor(conn, via), func() {}, nil
	}
	if g.Trusted != nil {
		if by, ok := g.Trusted(r); ok {
			return r.Context(), by, func() {}, nil
		}
	}
	return nil, nod.Actor{}, nil, nod.Errorf(nod.Unauthorized, "who are you? Send a token, with the header Authorization: Bearer nod_…; `nod token create` makes one")
}

// byToken is who shows a token. A token that was made for a room opens that room,
// whose surface looks at it itself, and nothing else of the house.
func (g *Gate) byToken(r *http.Request, token, via string) (context.Context, nod.Actor, func(), error) {
	ctx, who, leave, err := g.Credentials.Admit(r.Context(), token, via)
	if err == nil && who.Room != "" {
		leave()
		return nil, nod.Actor{}, nil, nod.Errorf(nod.Forbidden, "the token of %s was made for the room %q and opens nothing else; `nod token create` without --room makes one for the whole hub", who.Name, who.Room)
	}
	return ctx, who, leave, err
}

func (g *Gate) require(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
	err := g.Allow(ctx, by, right, what)
	if err != nil && g.Local != nil {
		return g.Local.Explain(by, right, what, err)
	}
	return err
}

type connKey struct{}

// LocalConn is the connection if the request came through the Unix socket, and
// nil otherwise.
func LocalConn(ctx context.Context) net.Conn {
	c, _ := ctx.Value(connKey{}).(net.Conn)
	return c
}

func withConn(ctx context.Context, c net.Conn) context.Context {
	if unix, ok := c.(*net.UnixConn); ok {
		return context.WithValue(ctx, connKey{}, net.Conn(unix))
	}
	return ctx
}
