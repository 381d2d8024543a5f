package relay

import (
	"cmp"
	"maps"
	"slices"

	"nod"
)

// entry is one request as clients know it.
type entry struct {
	id   string
	own  bool          // it came over this wire
	room roomID        // of one that came over this wire
	by   string        // who raised it; empty: unknown
	of   nod.RequestID // nod's own id
	last *nod.Request  // its last known state

	tool, target, header, question string
	hostname                       *string
	message                        string // of one that did not come over this wire
	options                        []option
	listed                         bool // clients see the options
	answerable                     bool
	except                         string // Apple token of the device that answers: it needs no dismissal
	fetched                        bool   // its hook has fetched the answer
}

// visible reports whether a room sees an entry.
func (g *registry) visible(e *entry, id roomID) bool {
	if e.own {
		return e.room == id
	}
	return g.config.shared(id)
}

// take adds an entry, or updates the one that is known. The lock is held.
func (g *registry) take(e *entry, r *nod.Request) {
	known, ok := g.byRequest[r.ID]
	if !ok {
		e.of, e.last = r.ID, r
		g.entries[e.id], g.byRequest[r.ID] = e, e
		if e.own {
			g.look(e.room).own[e.id] = e
		} else {
			g.foreign[e.id] = e
		}
		g.tell(e)
		return
	}
	if known.last.Settled() || known.last == r {
		return // clients see no change after a request is settled
	}
	g.update(known, r)
}

// update also takes an entry that was dropped meanwhile, with its room: no client sees
// it any more, but the call that holds it wants to know how it ended.
func (g *registry) update(e *entry, r *nod.Request) {
	e.last = r
	if r.Settled() && g.entries[e.id] == e {
		g.tell(e)
	}
}

// tell wakes the clients that see an entry.
func (g *registry) tell(e *entry) {
	if e.own {
		g.look(e.room).changed()
		return
	}
	for _, r := range g.rooms {
		if r.shares {
			r.changed()
		}
	}
}

func (g *registry) drop(e *entry) {
	delete(g.entries, e.id)
	delete(g.byRequest, e.last.ID)
	delete(g.foreign, e.id)
	if r, ok := g.rooms[e.room]; ok && e.own {
		delete(r.own, e.id)
	}
}

// find is an entry that a room sees, up to date. The lock is held.
func (g *registry) find(id string, in roomID) (*entry, bool) {
	e, ok := g.entries[id]
	if !ok || !g.visible(e, in) {
		return nil, false
	}
	g.refresh(e)
	return e, true
}

// refresh checks whether entries were settled by facts that Mirror has not delivered
// yet: a client that was told of an answer must find it here too.
func (g *registry) refresh(list ...*entry) {
	news := map[*entry]*nod.Request{}
	g.Hub.Look(func(st *nod.State) {
		for _, e := range list {
			if r, ok := st.Requests[e.last.ID]; ok && !e.last.Settled() && r != e.last {
				news[e] = r
			}
		}
	})
	for e, r := range news {
		g.update(e, r)
	}
}

// inRoom is what a room sees, newest first. The lock is held.
func (g *registry) inRoom(r *room) []*entry {
	list := slices.Collect(maps.Values(r.own))
	if r.shares {
		list = slices.AppendSeq(list, maps.Values(g.foreign))
	}
	slices.SortFunc(list, func(a, b *entry) int {
		return cmp.Or(b.last.AskedAt.Compare(a.last.AskedAt), cmp.Compare(b.last.Seq, a.last.Seq))
	})
	return list
}

// audience is the rooms that see an entry. The lock is held.
func (g *registry) audience(e *entry) []roomID {
	if e.own {
		return []roomID{e.room}
	}
	var list []roomID
	for id, r := range g.rooms {
		if r.shares {
			list = append(list, id)
		}
	}
	return list
}

// hasOpen reports whether a pane has an unanswered request in a room.
func (g *registry) hasOpen(in roomID, target string) bool {
	g.Lock()
	defer g.Unlock()
	r, ok := g.rooms[in]
	if !ok {
		return false
	}
	for _, e := range r.own {
		g.refresh(e)
		if !e.last.Settled() && e.last.Agent.ID == source(e.room, target, "").ID {
			return true
		}
	}
	return false
}
