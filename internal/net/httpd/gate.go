package httpd

import (
	"context"
	"net"
	"net/http"
	"strings"

	"nod"
	"nod/internal/net/auth"
)

// Gate authenticates and authorizes requests.
type Gate struct {
	Credentials *auth.Credentials
	Local       *auth.Local
	// Allow returns an error for an actor without a right, and logs what must be
	// logged: hub.Desk.Allowed.
	Allow func(ctx context.Context, by nod.Actor, right nod.Right, what string) error
	// Proof redeems a ticket and reports whether it confirms this request; nil: no
	// ticket does. passkey.Ceremonies.Redeem.
	Proof func(ctx context.Context, by nod.Actor, ticket string, id nod.RequestID) (bool, error)
	// Trusted identifies callers who need no credential, because the owner of the hub
	// trusts their network; nil: there are none.
	Trusted func(*http.Request) (nod.Actor, bool)
	Hosts   []string // names under which web pages of this hub may be served behind a proxy
}

type actorKey struct{}

// ActorOf returns who sent a request; on an open route without a credential it is
// the zero Actor.
func ActorOf(ctx context.Context) nod.Actor {
	a, _ := ctx.Value(actorKey{}).(nod.Actor)
	return a
}

// admit checks a request against its route. The caller must call leave at the end.
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

// Credential comes in the first message of a WebSocket, because a browser cannot
// send headers with one.
type Credential struct {
	Token string // the whole token of a device
	Key   string // a browser's half; the other is in its cookie
	Via   string
}

// AdmitWith admits a caller with such a credential to a route and runs inside. Its
// context ends when the credential does.
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

// identify accepts a token from anywhere, and without one only a local process that
// can be examined, or a trusted network. A token in the URL is ignored, because
// URLs end up in logs.
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
			// Every process of this user may raise. Examining it would cost a millisecond
			// at each step of an agent, for nothing.
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

// byToken identifies the holder of a token. A token for a room is valid only in that
// room, where the surface checks it itself.
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

// LocalConn returns the connection of a request on the Unix socket, and nil for any
// other.
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
