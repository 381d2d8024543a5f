package hub

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// retryTime is how long Mirror waits before it follows a log again that it lost.
const retryTime = time.Second

// Mirror keeps something in step with the log: reset gets the state to begin with,
// and event every fact after it, in order, each once. After a gap, or when the log
// could not be read, reset is called again with a fresh state. Either may be nil.
//
// Both are called in the caller's goroutine, one at a time, with no lock held. The
// state is a copy and belongs to the callee; the records in it are shared and must
// not be changed. Mirror returns when ctx ends, when the hub closes, or at once when
// the actor may not view.
func (d Desk) Mirror(ctx context.Context, reset func(*nod.State), event func(*nod.Event)) {
	if err := d.require(ctx, nod.View, "follow the log"); err != nil {
		d.hub.log.Error("the log is not followed", "by", d.by.Name, "via", d.by.Via, "err", err)
		return
	}
	m := mirror{hub: d.hub, name: d.by.Via, follow: d.Follow, reset: reset, event: event}
	m.run(ctx)
}

// Mirror is Desk.Mirror for a driver, which never counts as a viewer.
func (l Link) Mirror(ctx context.Context, reset func(*nod.State), event func(*nod.Event)) {
	m := mirror{hub: l.hub, name: l.driver, follow: l.Follow, reset: reset, event: event}
	m.run(ctx)
}

type mirror struct {
	hub    *Hub
	name   string // in the program's log
	follow func(context.Context, nod.Seq) iter.Seq2[nod.Event, error]
	reset  func(*nod.State)
	event  func(*nod.Event)
}

func (m *mirror) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := m.once(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil && nod.CodeOf(err) != nod.Gone { // a gap is no fault: the follower was late
			m.hub.log.Warn("the log cannot be followed; trying again", "follower", m.name, "err", err)
		}
		pause.For(ctx, retryTime)
	}
}

// once starts from a fresh state and follows. It returns nil when ctx or the hub
// has ended.
func (m *mirror) once(ctx context.Context) error {
	_ = m.hub.writer.current(ctx, fresh) // an older state is better than none: events bring the rest
	state := m.hub.view.copyWith()
	seq := state.Seq
	if m.reset != nil {
		m.reset(&state)
	}
	for e, err := range m.follow(ctx, seq) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		if m.event != nil {
			m.event(&e)
		}
	}
	return nil
}

// Pending finds a request that waits for a person; nil when it is settled or
// unknown. A follower that sees a request raised asks this before it notifies people:
// a rule or a lease settles a request in the commit that raises it.
func (h *Hub) Pending(id nod.RequestID) *nod.Request {
	if r := h.view.request(id); r != nil && !r.Settled() {
		return r
	}
	return nil
}

// PendingList is the requests that wait for a person, oldest first. A Mirror keeps
// it: pass its Reset and Event on.
type PendingList struct {
	hub      *Hub
	mu       sync.Mutex
	known    bool
	requests []*nod.Request // replaced, never changed in place
}

// NewPendingList is a list about which nothing is known yet.
func NewPendingList(h *Hub) *PendingList { return &PendingList{hub: h} }

// Reset replaces the list.
func (p *PendingList) Reset(s *nod.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known, p.requests = true, s.PendingOf("")
}

// Forget makes the list unknown until the next Reset: for work that another hub may
// have done in the meantime.
func (p *PendingList) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known, p.requests = false, nil
}

// Event takes one fact into account and reports whether the list changed.
func (p *PendingList) Event(e *nod.Event) (changed bool) {
	switch e.Kind {
	case nod.RequestRaised:
		if e.Request == nil || p.hub.Pending(e.RequestID) == nil {
			return false
		}
	case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
	default:
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.requests, func(r *nod.Request) bool { return r.ID == e.RequestID })
	switch raised := e.Kind == nod.RequestRaised; {
	case raised && i < 0:
		p.requests = append(slices.Clip(p.requests), e.Request)
	case !raised && i >= 0:
		p.requests = slices.Concat(p.requests[:i], p.requests[i+1:])
	default:
		return false
	}
	return true
}

// Now is the list; it is not changed any more. As long as known is false an empty
// list does not mean that everything is settled.
func (p *PendingList) Now() (requests []*nod.Request, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests, p.known
}
