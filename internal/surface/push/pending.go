package push

import (
	"slices"
	"sync"

	"nod"
)

// pendingList is what waits for a person, oldest first. Nothing is known before the
// first reset: an empty board would mean that everything is settled.
type pendingList struct {
	mu       sync.Mutex
	known    bool
	waiting  map[nod.RequestID]struct{}
	requests []*nod.Request
}

func (b *pendingList) reset(requests []*nod.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known, b.requests = true, slices.Clone(requests)
	b.waiting = make(map[nod.RequestID]struct{}, len(requests))
	for _, r := range requests {
		b.waiting[r.ID] = struct{}{}
	}
}

func (b *pendingList) add(r *nod.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.waiting[r.ID]; !ok {
		b.waiting[r.ID] = struct{}{}
		b.requests = append(b.requests, r)
	}
}

// remove reports whether the request was there.
func (b *pendingList) remove(id nod.RequestID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.waiting[id]; !ok {
		return false
	}
	delete(b.waiting, id)
	b.requests = slices.DeleteFunc(b.requests, func(r *nod.Request) bool { return r.ID == id })
	return true
}

// settled is the first of some requests that no longer waits.
func (b *pendingList) settled(ids []nod.RequestID) (nod.RequestID, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.known {
		return "", false
	}
	i := slices.IndexFunc(ids, func(id nod.RequestID) bool {
		_, waits := b.waiting[id]
		return !waits
	})
	if i < 0 {
		return "", false
	}
	return ids[i], true
}

// first is the oldest request that waits and is not to be left out.
func (b *pendingList) first(leaveOut func(nod.RequestID) bool) (*nod.Request, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.requests, func(r *nod.Request) bool { return !leaveOut(r.ID) })
	if i < 0 {
		return nil, false
	}
	return b.requests[i], true
}
