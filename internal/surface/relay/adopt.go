package relay

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"nod"
)

// recent is the requests that clients may ask for.
func (g *registry) recent(st *nod.State) (list []*nod.Request) {
	for _, r := range st.Requests {
		if !r.Settled() || g.config.young(r, g.Now()) {
			list = append(list, r)
		}
	}
	return list
}

// adoptAll takes over the hub's requests, so that a restart or a gap loses nothing.
func (g *registry) adoptAll(list []*nod.Request) {
	g.Lock()
	defer g.Unlock()
	g.look(owners)
	for _, name := range g.config.Share {
		g.look(namedRoom(name))
	}
	for _, r := range list {
		g.add(r)
	}
}

// add makes a request of the log known to clients. The lock is held.
func (g *registry) add(r *nod.Request) *entry {
	e := g.adopt(r)
	if e.own {
		g.enter(e.room)
	}
	g.take(e, r)
	return e
}

// young reports whether clients may still ask for a request that is settled.
func (c Config) young(r *nod.Request, now time.Time) bool { return now.Sub(r.AskedAt) < c.Cleanup }

// adopt is the entry of a request of the log. The lock is held.
func (g *registry) adopt(r *nod.Request) *entry {
	if e, ok := g.coming[r.ID]; ok {
		return e
	}
	if r.Agent.Kind != kind {
		e := foreign(g.say, r)
		e.id = g.publicID(r.ID)
		return e
	}
	e := &entry{own: true, id: string(r.ID), tool: r.Tool, room: roomOf(r.Agent.ID), answerable: !strings.HasSuffix(r.Display, notAnswerable), options: recovered(r)}
	if e.options == nil {
		e.options = permissions(unlisted())
	}
	e.listed = e.options[0].Text != unlisted()[0].Text
	if r.Agent.Name != unnamed {
		name := r.Agent.Name
		e.hostname = &name
	}
	return e
}

// publicID is the short id of a request that did not come over this wire. It is always
// the same, unless two requests would share it.
func (g *registry) publicID(id nod.RequestID) string {
	for salt := string(id); ; salt += "'" {
		public := short("request\x00"+salt, 8)
		if e, taken := g.entries[public]; !taken || e.last.ID == id {
			return public
		}
	}
}

// freshID is an id that no client knows yet. The lock is held.
func (g *registry) freshID() string {
	for {
		var b [4]byte
		rand.Read(b[:]) // never fails
		id := hex.EncodeToString(b[:])
		_, taken := g.entries[id]
		_, coming := g.coming[nod.RequestID(id)]
		g.Hub.Look(func(st *nod.State) { _, old := st.Requests[nod.RequestID(id)]; taken = taken || old })
		if !taken && !coming {
			return id
		}
	}
}

// announce gives an entry its id before the hub is asked: the fact may arrive before
// the hub's answer does.
func (g *registry) announce(e *entry) nod.RequestID {
	g.Lock()
	defer g.Unlock()
	g.enter(e.room).touch(g.Now())
	e.id = g.freshID()
	g.coming[nod.RequestID(e.id)] = e
	return nod.RequestID(e.id)
}

// asked ends what announce began; r is nil if the hub refused.
func (g *registry) asked(e *entry, r *nod.Request) {
	g.Lock()
	defer g.Unlock()
	delete(g.coming, nod.RequestID(e.id))
	if r != nil {
		g.take(e, r)
	}
}
