package relay

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"nod"
)

// room is what the holders of one key share. Its clients wait for wake, which is
// closed whenever the list may have changed; whoever is slow finds the newest.
type room struct {
	id      roomID
	shares  bool              // sees nod's own requests too
	live    bool              // something was created here; with any key, such rooms are counted
	own     map[string]*entry // what came over this wire, by id
	clients int
	touched time.Time

	wake   chan struct{}
	update []byte // the newest message to WebSockets; nil when it must be made anew
}

func (r *room) touch(now time.Time) { r.touched = now }

// changed tells the clients of a room that there is something new.
func (r *room) changed() {
	r.update = nil
	close(r.wake)
	r.wake = make(chan struct{})
}

// look finds a room, or makes one that nothing was created in. The lock is held.
func (s *Surface) look(id roomID) *room {
	r, ok := s.all[id]
	if !ok {
		r = &room{id: id, shares: s.shared(id), own: map[string]*entry{}, wake: make(chan struct{}), touched: s.Now()}
		s.all[id] = r
	}
	return r
}

func (s *Surface) shared(id roomID) bool {
	return id == owners || slices.ContainsFunc(s.Share, func(name string) bool { return namedRoom(name) == id })
}

// keyed rooms are those that any key opens.
func (id roomID) keyed() bool { return id != owners && id[0] == 'k' }

// enter opens a room to create something in it. One too many makes the oldest
// give way, and one where somebody waits only if they all are such.
func (s *Surface) enter(id roomID) *room {
	r := s.look(id)
	if r.live {
		return r
	}
	r.live = true
	if !id.keyed() {
		return r
	}
	var others []*room
	for _, other := range s.all {
		if other.live && other != r && other.id.keyed() {
			others = append(others, other)
		}
	}
	if len(others) < s.Rooms {
		return r
	}
	oldest := slices.MinFunc(others, func(a, b *room) int {
		return cmp.Or(cmp.Compare(a.waiting(), b.waiting()), a.touched.Compare(b.touched))
	})
	s.evict(oldest)
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

// evict empties a room; what waited in it is handed back to its terminal.
func (s *Surface) evict(r *room) {
	for _, e := range r.own {
		s.withdrawLater(e.last.ID)
		s.drop(e)
	}
	s.devices.forget(r.id)
	r.live = false
	r.changed()
	if r.clients == 0 {
		delete(s.all, r.id)
	}
}

// entry is one request as clients know it.
type entry struct {
	id   string
	own  bool          // it came over this wire
	room roomID        // where, if it is our own
	by   string        // who raised it; empty: unknown
	of   nod.RequestID // nod's own id
	last *nod.Request  // as far as is known

	tool, target, header, question string
	hostname                       *string
	options                        []option
	listed                         bool // clients see the options
	answerable                     bool
	except                         string // the device that answers needs no dismissal
	fetched                        bool   // its hook has the answer
}

// visible reports whether a room sees an entry.
func (s *Surface) visible(e *entry, id roomID) bool {
	if e.own {
		return e.room == id
	}
	return s.shared(id)
}

// take puts an entry into the books, or brings it up to date. The lock is held.
func (s *Surface) take(e *entry, r *nod.Request) {
	known, ok := s.of[r.ID]
	if !ok {
		e.of, e.last = r.ID, r
		s.entries[e.id], s.of[r.ID] = e, e
		if e.own {
			s.look(e.room).own[e.id] = e
		} else {
			s.nods[e.id] = e
		}
		s.tell(e)
		return
	}
	if known.last.Settled() || known.last == r {
		return // what is settled does not change any more, for this wire
	}
	settled := r.Settled()
	known.last = r
	if settled {
		s.tell(known)
	}
}

// tell wakes the clients that see an entry.
func (s *Surface) tell(e *entry) {
	if e.own {
		s.look(e.room).changed()
		return
	}
	for _, r := range s.all {
		if r.shares {
			r.changed()
		}
	}
}

func (s *Surface) drop(e *entry) {
	delete(s.entries, e.id)
	delete(s.of, e.last.ID)
	delete(s.nods, e.id)
	if r, ok := s.all[e.room]; ok && e.own {
		delete(r.own, e.id)
	}
}

// find is an entry as it is now, for somebody in a room. The lock is held.
func (s *Surface) find(id string, in roomID) (*entry, bool) {
	e, ok := s.entries[id]
	if !ok || !s.visible(e, in) {
		return nil, false
	}
	s.refresh(e)
	return e, true
}

// refresh looks whether an entry was settled since the log was last followed:
// whoever has an answer must find it.
func (s *Surface) refresh(list ...*entry) {
	var news []*nod.Request
	s.Hub.Look(func(st *nod.State) {
		for _, e := range list {
			if r, ok := st.Requests[e.last.ID]; ok && !e.last.Settled() && r != e.last {
				news = append(news, r)
			}
		}
	})
	for _, r := range news {
		s.take(nil, r)
	}
}

// inRoom lists what a room sees, newest first. The lock is held.
func (s *Surface) inRoom(r *room) []*entry {
	list := slices.Collect(maps.Values(r.own))
	if r.shares {
		list = slices.AppendSeq(list, maps.Values(s.nods))
	}
	slices.SortFunc(list, func(a, b *entry) int {
		return cmp.Or(b.last.AskedAt.Compare(a.last.AskedAt), cmp.Compare(b.last.Seq, a.last.Seq))
	})
	return list
}
