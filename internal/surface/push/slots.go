package push

import (
	"context"
	"sync"
)

// How many messages are on their way at the same time. One push service that hangs
// cannot take all slots.
const (
	maxSending     = 32
	maxSendingHost = 8
)

// slots limit the messages on their way.
type slots struct {
	all chan struct{}

	mu    sync.Mutex
	hosts map[string]*hostSlots
}

type hostSlots struct {
	places chan struct{}
	users  int // goroutines that hold a slot or wait for one
}

func newSlots() *slots {
	return &slots{all: make(chan struct{}, maxSending), hosts: map[string]*hostSlots{}}
}

// take waits for a slot; ok is false if ctx ends first. The slot of the host comes
// first: a message that waits for a slow host must not hold a slot that others need.
func (s *slots) take(ctx context.Context, host string) (free func(), ok bool) {
	h := s.enter(host)
	select {
	case h.places <- struct{}{}:
	case <-ctx.Done():
		s.leave(host)
		return nil, false
	}
	select {
	case s.all <- struct{}{}:
	case <-ctx.Done():
		<-h.places
		s.leave(host)
		return nil, false
	}
	return func() {
		<-s.all
		<-h.places
		s.leave(host)
	}, true
}

func (s *slots) enter(host string) *hostSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hosts[host]
	if h == nil {
		h = &hostSlots{places: make(chan struct{}, maxSendingHost)}
		s.hosts[host] = h
	}
	h.users++
	return h
}

func (s *slots) leave(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.hosts[host]; h != nil {
		if h.users--; h.users == 0 {
			delete(s.hosts, host)
		}
	}
}
