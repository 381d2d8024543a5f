package voicepe

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// showing is one question before a person: a request, or one of its questions.
type showing struct {
	request  *nod.Request
	question int // which of its questions
	answers  nod.Answers
	sent     bool // it is out there
	answered bool // somebody answered it here
	counted  bool // as one of a series
	index    int
	total    int
}

// key is what it is called on the wire. Every question of a request has its own
// name, so that an answer that comes twice does not answer two of them.
func (w *showing) key() string {
	if w.question == 0 {
		return string(w.request.ID)
	}
	return string(w.request.ID) + "." + strconv.Itoa(w.question+1)
}

// pendingList is what waits, and what of it is before the person: one at a time, the
// oldest first.
type pendingList struct {
	mu      sync.Mutex
	up      bool
	waiting []*nod.Request
	given   map[nod.RequestID]bool // the puck gave up
	told    map[string]*showing    // what was shown and may be answered
	current *showing
	series  nod.AgentID // whose approvals come one after the other
	done    int         // how many of them were given
	last    time.Time   // when the last of them was
	ready   chan struct{}
}

func (b *pendingList) init() {
	b.given, b.told, b.ready = map[nod.RequestID]bool{}, map[string]*showing{}, make(chan struct{}, 1)
}

func (b *pendingList) wake() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// connected: what was shown before the connection was lost may not have arrived.
func (b *pendingList) connected(up bool) {
	b.mu.Lock()
	b.up = up
	if b.current != nil {
		b.current.sent = false
	}
	b.mu.Unlock()
	b.wake()
}

// again is how long to wait before something that failed is tried anew.
const again = time.Second

// follow keeps the board in step with the log.
func (s *Surface) follow(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.read(ctx); err != nil && ctx.Err() == nil && nod.CodeOf(err) != nod.Gone {
			s.Log.Warn("the voice puck does not follow the log", "err", err)
		}
		pause.For(ctx, again)
	}
}

func (s *Surface) read(ctx context.Context) error {
	desk := s.watcher()
	snap, err := desk.Snapshot(ctx)
	if err != nil {
		return err
	}
	s.board.wake()
	for e, err := range desk.Follow(ctx, snap.Seq) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case nod.RequestRaised, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			s.board.wake()
		case nod.AgentChanged:
			s.finished(ctx, e.Agent)
		}
	}
	return nil
}

// look takes in what waits now. It is the hub's own list and not what was heard of
// it so far: how many there are is part of what is said.
func (s *Surface) look() {
	var list []*nod.Request
	s.Hub.Look(func(state *nod.State) { list = state.PendingOf("") })
	list = slices.DeleteFunc(list, func(r *nod.Request) bool { return !fits(r) })
	s.board.mu.Lock()
	defer s.board.mu.Unlock()
	s.board.waiting = list
	for id := range s.board.given {
		if !slices.ContainsFunc(list, func(r *nod.Request) bool { return r.ID == id }) {
			delete(s.board.given, id)
		}
	}
}

// pending is a request that still waits, or nil.
func (s *Surface) pending(id nod.RequestID) (r *nod.Request) {
	s.Hub.Look(func(state *nod.State) { r = state.Requests[id] })
	if r != nil && r.Settled() {
		return nil
	}
	return r
}

// giveUp: the puck waited long enough. The request waits on, for other doors.
func (b *pendingList) giveUp(id nod.RequestID) {
	b.mu.Lock()
	b.given[id] = true
	b.mu.Unlock()
	b.wake()
}

// find is what was shown under a name.
func (b *pendingList) find(key string) *showing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.told[key]
}

// answer notes that something was answered here; it is noted before the hub is
// asked, because the log may tell of it first. allow counts in a series.
func (b *pendingList) answer(w *showing, allow bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.answered = true
	delete(b.told, w.key())
	if w.counted = allow && w.request.Agent.ID == b.series; w.counted {
		b.done++
		b.last = now
	}
}

// undo: the hub did not take the answer.
func (b *pendingList) undo(w *showing) {
	b.mu.Lock()
	w.answered = false
	b.told[w.key()] = w
	if w.counted && b.done > 0 {
		w.counted = false
		b.done--
	}
	b.mu.Unlock()
	b.wake()
}

// next puts the next question of the same request before the person.
func (b *pendingList) next(w *showing) {
	b.mu.Lock()
	if b.current == nil || b.current.request.ID == w.request.ID {
		b.current = &showing{request: w.request, question: w.question + 1, answers: w.answers}
	}
	b.mu.Unlock()
	b.wake()
}

// turn is what has to be said now: that something needs no answer any more, and
// what is shown next.
func (b *pendingList) turn() (over, show *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	waits := func(id nod.RequestID) bool {
		return !b.given[id] && slices.ContainsFunc(b.waiting, func(r *nod.Request) bool { return r.ID == id })
	}
	if c := b.current; c != nil && !waits(c.request.ID) {
		if c.sent && !c.answered && !b.given[c.request.ID] {
			over = c
		}
		b.current = nil
	}
	for key, w := range b.told { // what is settled needs no answer
		if !slices.ContainsFunc(b.waiting, func(r *nod.Request) bool { return r.ID == w.request.ID }) {
			delete(b.told, key)
		}
	}
	if b.current == nil || b.current.answered {
		b.choose(waits)
	}
	if c := b.current; c != nil && !c.sent && !c.answered && b.up {
		show = c
	}
	return over, show
}

// choose takes the oldest, and of one agent several in a row: a person should
// not jump between tasks.
func (b *pendingList) choose(waits func(nod.RequestID) bool) {
	answered := b.current
	b.current = nil
	var first *nod.Request
	left := 0
	for _, r := range b.waiting {
		if !waits(r.ID) || answered != nil && r.ID == answered.request.ID {
			continue
		}
		if first == nil || r.Agent.ID == b.series && first.Agent.ID != b.series {
			first = r
		}
	}
	if first == nil {
		b.series, b.done = "", 0
		if answered != nil {
			b.current = answered // until the log says that it is settled
		}
		return
	}
	// What was asked only after the last answer is no part of that series.
	if first.Agent.ID != b.series || b.done > 0 && !first.AskedAt.Before(b.last) {
		b.series, b.done = first.Agent.ID, 0
	}
	for _, r := range b.waiting {
		if r.Agent.ID == b.series && r.Kind == nod.KindApproval && waits(r.ID) && (answered == nil || r.ID != answered.request.ID) {
			left++
		}
	}
	b.current = &showing{request: first}
	if total := b.done + left; first.Kind == nod.KindApproval && total > 1 {
		b.current.index, b.current.total = b.done+1, total
	}
}

// shown notes that something is out there.
func (b *pendingList) shown(w *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.sent = true
	b.told[w.key()] = w
}
