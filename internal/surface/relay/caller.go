package relay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

// via is where answers of Prompt Relay's clients come from, in the log.
const via = "relay"

// The lengths of a key, as the original counts them.
const (
	shortestKey = 8
	longestKey  = 128
)

// roomID identifies a room without revealing its key. Keys without a room of their own
// are in the owner's room, whose id is empty.
type roomID string

const owners roomID = ""

// tag is how a room appears in an agent's id.
func (id roomID) tag() string {
	if id == owners {
		return "owner"
	}
	return string(id)
}

func namedRoom(name string) roomID {
	if name == "" {
		return owners
	}
	return roomID("r" + short("room\x00"+name, 16))
}

func keyRoom(key string) roomID { return roomID("k" + short("key\x00"+key, 24)) }

// short is the beginning of a hash, in hexadecimal digits.
func short(of string, digits int) string {
	sum := sha256.Sum256([]byte(of))
	return hex.EncodeToString(sum[:])[:digits]
}

// caller is the sender of a request and the room they are in.
type caller struct {
	nod.Actor
	room  roomID
	ctx   context.Context // ends when the key is revoked
	leave func()
}

// refusal is why a caller is not let in.
type refusal string

const (
	unauthorized refusal = "unauthorized"
	badLength    refusal = "Room key must be 8-128 characters"
	roomsOnly    refusal = "without encryption only keys of a room work: nod token create --room"
)

// bearer is the key of an Authorization header; the scheme may be in any case.
func bearer(header string) (string, bool) {
	scheme, rest, ok := strings.Cut(header, " ")
	key := strings.TrimLeft(rest, " \t")
	return key, ok && strings.EqualFold(scheme, "Bearer") && key != ""
}

// admission identifies callers and finds their rooms.
type admission struct {
	credentials Credentials
	tokens      Tokens
	anyKey      bool
	rooms       sync.Map // token id → room name: it never changes
}

// admit identifies the caller by the header alone.
func (a *admission) admit(r *http.Request) (*caller, refusal) {
	if by := httpd.ActorOf(r.Context()); by.Kind != "" { // already authenticated by the gate of the hub's own port
		return a.known(r.Context(), by, func() {})
	}
	key, ok := bearer(r.Header.Get("Authorization"))
	if !ok {
		return nil, unauthorized
	}
	return a.open(r.Context(), key, len(key))
}

// admitSocket takes the key from the header or, if there is none, from the query: a
// browser cannot set a header of a WebSocket.
func (a *admission) admitSocket(r *http.Request) (*caller, refusal) {
	if _, ok := bearer(r.Header.Get("Authorization")); ok || httpd.ActorOf(r.Context()).Kind != "" {
		return a.admit(r)
	}
	key := r.URL.Query().Get("key")
	return a.open(r.Context(), key, units(key))
}

// open finds the room of a key.
func (a *admission) open(ctx context.Context, key string, length int) (*caller, refusal) {
	if length < shortestKey || length > longestKey {
		return nil, badLength
	}
	if _, token := auth.ParseSecret(key); token || !a.anyKey {
		// A token that was revoked must not open a room of its own.
		in, who, leave, err := a.credentials.Admit(ctx, key, via)
		if err != nil {
			return nil, unauthorized
		}
		if _, link := who.LinkOf(); link {
			leave()
			return nil, unauthorized
		}
		return a.known(in, who, leave)
	}
	room := keyRoom(key)
	who := nod.Actor{
		Kind: nod.ActorDevice, Name: "Prompt Relay key " + string(room)[1:7], Via: via, ID: string(room),
		Rights: nod.RightsOf(nod.Raise, nod.View, nod.Answering),
	}
	return &caller{Actor: who, room: room, ctx: ctx, leave: func() {}}, ""
}

// known finds the room of an actor: a token has its own, a person on this machine is in
// the owner's.
func (a *admission) known(ctx context.Context, who nod.Actor, leave func()) (*caller, refusal) {
	who.Via = via
	c := &caller{Actor: who, ctx: ctx, leave: leave}
	if who.Kind != nod.ActorDevice {
		return c, ""
	}
	name, ok := a.rooms.Load(who.ID)
	if !ok {
		t, err := a.tokens.Get(ctx, who.ID)
		if err != nil {
			leave()
			return nil, unauthorized
		}
		name = t.Room
		a.rooms.Store(who.ID, name)
	}
	c.room = namedRoom(name.(string))
	if c.room == owners && isUnencrypted(ctx) {
		leave()
		return nil, roomsOnly // whoever reads this key could do everything with it
	}
	return c, ""
}

// unencryptedKey marks the calls of a listener that everyone in the network can read.
type unencryptedKey struct{}

func isUnencrypted(ctx context.Context) bool { return ctx.Value(unencryptedKey{}) != nil }

// unencrypted serves a listener without TLS beyond this machine.
func unencrypted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), unencryptedKey{}, true)))
	})
}

// may answers with an error if the caller lacks a right. The hub records it when an
// agent tries.
func (c *call) may(right nod.Right, what string) bool {
	if c.who.Can(right) {
		return true
	}
	err := c.Hub.Desk(c.who.Actor).Allowed(c.who.ctx, right, what)
	c.fail(http.StatusForbidden, nod.MessageOf(err))
	return false
}
