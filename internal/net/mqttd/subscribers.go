package mqttd

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// subscribers are the handlers of this process.
type subscribers struct {
	log *slog.Logger

	mu     sync.Mutex
	all    []*mailbox
	early  []Message // what came before anybody could want it
	size   int
	opened time.Time // when the first message came
}

// What comes at once after the start may be for somebody who is not quite there:
// the broker had it ready, and the house starts all its parts together.
const (
	startTime = 5 * time.Second
	mostEarly = 8 << 20 // bytes
)

// add begins to serve a handler. gone is called when its filter is wanted by
// nobody any more.
func (s *subscribers) add(ctx context.Context, filter string, f func(Message), gone func()) (*mailbox, error) {
	if err := checkFilter(filter); err != nil {
		return nil, err
	}
	box := newMailbox(filter, s.log)
	s.mu.Lock()
	s.all = append(s.all, box)
	for _, m := range s.early {
		if Matches(filter, m.Topic) {
			box.put(m)
		}
	}
	s.mu.Unlock()
	go func() {
		box.serve(ctx, f)
		if s.remove(box) {
			gone()
		}
	}()
	return box, nil
}

// remove reports whether nobody else wants the same filter.
func (s *subscribers) remove(box *mailbox) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last = true
	kept := s.all[:0:0]
	for _, b := range s.all {
		if b == box {
			continue
		}
		kept = append(kept, b)
		last = last && b.filter != box.filter
	}
	s.all = kept
	return last
}

// deliver puts a message before all whom it concerns.
func (s *subscribers) deliver(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := false
	for _, b := range s.all {
		if Matches(b.filter, m.Topic) {
			b.put(m)
			wanted = true
		}
	}
	if !wanted {
		s.park(m)
	}
}

// park keeps what nobody wants yet, for a moment after the start.
func (s *subscribers) park(m Message) {
	now := time.Now()
	if s.opened.IsZero() {
		s.opened = now
	}
	if now.Sub(s.opened) > startTime {
		s.early = nil
		return
	}
	if s.size += len(m.Payload) + len(m.Topic); s.size <= mostEarly {
		s.early = append(s.early, m)
	}
}

// filters are what a broker must be asked for, each once.
func (s *subscribers) filters() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	seen := map[string]bool{}
	for _, b := range s.all {
		if !seen[b.filter] {
			seen[b.filter] = true
			list = append(list, b.filter)
		}
	}
	return list
}
