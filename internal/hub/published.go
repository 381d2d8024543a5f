package hub

import (
	"slices"
	"sync"
	"time"

	"nod"
)

// tailLength is how many events followers can take from memory; older ones
// come from the store.
const (
	tailLength = 1024
	tailBytes  = 32 << 20 // some events have megabytes
)

// published is what readers see: the state of all committed facts, the newest of
// these facts, and channels that close when something changes. Readers never wait
// for the disk: the lock is held for memory work only.
type published struct {
	mu       sync.RWMutex
	state    nod.State
	tail     []nod.Event // the newest events, contiguous up to state.Seq
	weight   int         // bytes of the tail
	changed  chan struct{}
	settled  map[nod.RequestID]chan struct{} // closed when that request is settled
	deadline func(time.Time)                 // called for every deadline that is added
}

func newPublished(state nod.State, deadline func(time.Time)) *published {
	p := &published{state: state, changed: make(chan struct{}), settled: map[nod.RequestID]chan struct{}{}, deadline: deadline}
	for _, r := range state.PendingOf("") {
		p.settled[r.ID] = make(chan struct{})
	}
	return p
}

// look shows the state without copying it; f must not keep or change it.
func (p *published) look(f func(s *nod.State)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	f(&p.state)
}

func (p *published) head() (nod.Seq, nod.Hash) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state.Seq, p.state.Hash
}

// copyWith is a copy of the state with some more events applied.
func (p *published) copyWith(more ...nod.Event) nod.State {
	p.mu.RLock()
	s := p.state.Clone()
	p.mu.RUnlock()
	for i := range more {
		s.Apply(&more[i])
	}
	return s
}

func (p *published) request(id nod.RequestID) *nod.Request {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state.Requests[id]
}

// unsettled is a channel that closes when a request is settled; nil when it is
// already. known is false when this hub does not know the request at all.
func (p *published) unsettled(id nod.RequestID) (open <-chan struct{}, known bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if ch, ok := p.settled[id]; ok {
		return ch, true
	}
	_, known = p.state.Requests[id]
	return nil, known
}

// publish makes committed facts visible and wakes all callers that wait for them.
func (p *published) publish(events []nod.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range events {
		e := &events[i]
		p.state.Apply(e)
		switch e.Kind {
		case nod.RequestRaised:
			if _, ok := p.settled[e.RequestID]; !ok {
				p.settled[e.RequestID] = make(chan struct{})
			}
			if e.Request != nil && e.Request.ExpiresAt != nil {
				p.deadline(*e.Request.ExpiresAt)
			}
		case nod.LeaseGranted:
			if e.Lease != nil {
				p.deadline(e.Lease.Until)
			}
		case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			if ch, ok := p.settled[e.RequestID]; ok {
				close(ch)
				delete(p.settled, e.RequestID)
			}
		}
	}
	p.remember(events)
	close(p.changed)
	p.changed = make(chan struct{})
}

// remember adds to the tail and bounds it; the lock is held.
func (p *published) remember(events []nod.Event) {
	p.tail = append(p.tail, events...)
	for i := range events {
		p.weight += len(events[i].Body())
	}
	if len(p.tail) <= 2*tailLength && p.weight <= 2*tailBytes {
		return
	}
	from := max(0, len(p.tail)-tailLength)
	p.weight = 0
	for i := len(p.tail) - 1; i >= from; i-- {
		size := len(p.tail[i].Body())
		if p.weight+size > tailBytes {
			from = i + 1
			break
		}
		p.weight += size
	}
	p.tail = slices.Clone(p.tail[from:])
}

// recent is what comes after a place in the log, as far as it is in memory: nothing
// for a follower that is too late.
func (p *published) recent(after nod.Seq) (head nod.Seq, events []nod.Event, changed <-chan struct{}) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	head = p.state.Seq
	if missing := int64(head) - int64(after); missing >= 0 && missing <= int64(len(p.tail)) {
		events = p.tail[int64(len(p.tail))-missing:]
	}
	return head, events, p.changed
}
