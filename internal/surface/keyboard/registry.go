package keyboard

import (
	"crypto/rand"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"nod"
	"nod/internal/hub/adapter"
)

const mostKeyboards = 128

// registry knows the keyboards that are connected or were admitted, and admits new
// ones.
type registry struct {
	adapter.Deps
	saved *savedState
	own   func() []netip.Addr // the addresses of this machine

	mu    sync.Mutex // over everything below and all keyboards in it; the hub is never called while it is held
	byID  map[string]*keyboard
	frame int64 // the newest number that was given to a frame
}

// identify finds the keyboard of a connection. The firmware tells nothing about itself
// but its address; a caller with a token is known by that.
//
// This machine is never admitted by its address, because agents run there. A
// connection from it without a token is a keyboard of its own while it is connected,
// and so is one that came through a proxy.
func (g *registry) identify(r *http.Request, who nod.Actor) (*keyboard, error) {
	k := &keyboard{address: "this machine", temporary: true}
	switch addr, far := g.remoteAddr(r); {
	case who.Kind != "":
		if !who.Can(nod.View) || !who.Can(nod.Answering) {
			return nil, nod.Errorf(nod.Forbidden, "%s may not press keys: that takes the rights view and answer", who.Name)
		}
		who.Via = via
		k.id, k.actor = boardID("actor "+who.ID+" "+who.Name), who
	case far:
		k.id, k.address, k.temporary = boardID(addr.String()), addr.String(), false
	default:
		k.id = boardID(rand.Text())
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.byID[k.id]; known != nil && (who.Kind == "" || known.actor.ID == who.ID) {
		return known, nil
	}
	if len(g.byID) >= mostKeyboards {
		return nil, nod.Errorf(nod.Unavailable, "there are %d keyboards already: revoke one", mostKeyboards)
	}
	if a, ok := g.saved.admission(k.id); ok && !k.temporary {
		k.actor, k.pin = admittedAs(k.id, a), a.Agent
	}
	g.byID[k.id] = k // now, so that two connections at once are one keyboard
	return k, nil
}

// attach makes a connection the one that shows keys. Older ones stay until they end: a
// press that is on its way through one still counts.
func (g *registry) attach(c *conn) (leave func()) {
	k := c.board
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID[k.id] == nil {
		g.byID[k.id] = k
	}
	k.conns = append(k.conns, c)
	if len(k.conns) > mostConns {
		k.conns[0].end()
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		k.conns = slices.DeleteFunc(k.conns, func(other *conn) bool { return other == c })
		g.drop(k)
		k.wake()
	}
}

// forget a keyboard whose connection never opened.
func (g *registry) forget(k *keyboard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drop(k)
}

// drop removes a keyboard that would not be recognised if it came back. The lock is
// held.
func (g *registry) drop(k *keyboard) {
	if len(k.conns) == 0 && g.byID[k.id] == k && (k.temporary || !k.admitted()) {
		delete(g.byID, k.id)
	}
}

// refresh lets every keyboard look again at what its keys should show.
func (g *registry) refresh() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, k := range g.byID {
		k.wake()
	}
}

// connected reports whether a keyboard is there that can be pressed.
func (g *registry) connected() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, k := range g.byID {
		if k.admitted() && k.newest() != nil {
			return true
		}
	}
	return false
}

// shown is an agent whose keys a keyboard shows; empty: none.
func (g *registry) shown() (id nod.AgentID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, k := range g.byID {
		if k.admitted() && k.shown != "" {
			id = k.shown
		}
	}
	return id
}

// bind makes the keys those of one agent, or of any agent that needs a person.
func (g *registry) bind(k *keyboard, id nod.AgentID) {
	g.mu.Lock()
	k.pin, k.page = id, 0
	g.mu.Unlock()
	_ = g.saved.edit(func(f *savedFile) { // it logs what it could not write
		if a, ok := f.Keyboards[k.id]; ok {
			a.Agent = id
			f.Keyboards[k.id] = a
		}
	})
}
