package relay

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/present/words"
)

// room is what the holders of one key share. Its clients wait for wake, which is
// closed whenever the list may have changed; a slow client gets only the newest list.
type room struct {
	id      roomID
	shares  bool              // sees nod's own requests too
	live    bool              // something was created here; the number of such rooms is limited with any_key
	own     map[string]*entry // what came over this wire, by id
	clients int
	touched time.Time

	wake   chan struct{}
	update []byte // the newest message to WebSockets; nil: it must be rebuilt
}

func (r *room) touch(now time.Time) { r.touched = now }

// changed wakes the clients of a room.
func (r *room) changed() {
	r.update = nil
	close(r.wake)
	r.wake = make(chan struct{})
}

// registry is the rooms, and the requests as their clients know them.
type registry struct {
	config Config
	hub.Deps
	say     words.Printer
	link    hub.Link
	devices *deviceStore

	sync.Mutex // over everything below; the hub may be looked at while it is held, never the other way round
	rooms      map[roomID]*room
	entries    map[string]*entry // by the id that clients know
	foreign    map[string]*entry // those of them that did not come over this wire
	byRequest  map[nod.RequestID]*entry
	coming     map[nod.RequestID]*entry // being asked just now
	watched    watched
}

func newRegistry(c Config, d adapter.Deps, devices *deviceStore) *registry {
	return &registry{
		config: c, Deps: d.Deps, say: d.Say, link: d.Hub.Link(via), devices: devices, rooms: map[roomID]*room{},
		entries: map[string]*entry{}, foreign: map[string]*entry{}, byRequest: map[nod.RequestID]*entry{}, coming: map[nod.RequestID]*entry{},
	}
}

// look finds a room, or makes one that does not count as live. The lock is held.
func (g *registry) look(id roomID) *room {
	r, ok := g.rooms[id]
	if !ok {
		r = &room{id: id, shares: g.config.shared(id), own: map[string]*entry{}, wake: make(chan struct{}), touched: g.Now()}
		g.rooms[id] = r
	}
	return r
}

// shared reports whether a room sees nod's own requests too.
func (c Config) shared(id roomID) bool {
	return id == owners || slices.ContainsFunc(c.Share, func(name string) bool { return namedRoom(name) == id })
}

// keyed reports whether a room exists only because any key opens one.
func (id roomID) keyed() bool { return id != owners && id[0] == 'k' }

// enter opens a room to create something in it. If there are too many, the oldest is
// evicted, and one with a waiting request only if all have one.
func (g *registry) enter(id roomID) *room {
	r := g.look(id)
	if r.live {
		return r
	}
	r.live = true
	if !id.keyed() {
		return r
	}
	var others []*room
	for _, other := range g.rooms {
		if other.live && other != r && other.id.keyed() {
			others = append(others, other)
		}
	}
	if len(others) < g.config.Rooms {
		return r
	}
	oldest := slices.MinFunc(others, func(a, b *room) int {
		return cmp.Or(cmp.Compare(a.waiting(), b.waiting()), a.touched.Compare(b.touched))
	})
	g.evict(oldest)
	return r
}

// waiting is 1 for a room where a request waits.
func (r *room) waiting() int {
	for _, e := range r.own {
		if !e.last.Settled() {
			return 1
		}
	}
	return 0
}

// evict empties a room. Its requests are withdrawn, so that their terminals ask.
func (g *registry) evict(r *room) {
	for _, e := range r.own {
		g.withdrawLater(e.last.ID)
		g.drop(e)
	}
	g.devices.forget(r.id)
	r.live = false
	r.changed()
	if r.clients == 0 {
		delete(g.rooms, r.id)
	}
}

// withdrawLater settles a request without waiting for the disk.
func (g *registry) withdrawLater(id nod.RequestID) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := g.link.Note(ctx, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost})); err != nil {
		g.Log.Warn("a request of a closed room still waits", "request", id, "err", err)
	}
}

// sweep removes old requests and idle rooms. It returns the agents that still have
// requests.
func (g *registry) sweep() map[nod.AgentID]bool {
	g.Lock()
	defer g.Unlock()
	now := g.Now()
	busy := map[nod.AgentID]bool{}
	for _, e := range g.entries {
		if e.last.Settled() && !g.config.young(e.last, now) {
			g.drop(e)
			g.tell(e)
			continue
		}
		busy[e.last.Agent.ID] = true
	}
	for id, r := range g.rooms {
		idle := now.Sub(r.touched) >= roomIdle && r.clients == 0 && !r.shares
		if idle && len(r.own) == 0 && g.devices.none(id) {
			delete(g.rooms, id)
		}
	}
	return busy
}

// touch notes that a room is used, if there is one.
func (g *registry) touch(id roomID) {
	g.Lock()
	defer g.Unlock()
	if r, ok := g.rooms[id]; ok {
		r.touch(g.Now())
	}
}
