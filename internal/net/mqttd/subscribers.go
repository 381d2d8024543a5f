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
	early  []Message // messages that came before their subscriber
	size   int
	opened time.Time // when the first message came
}

// A broker delivers what it had queued at once, while the parts of the hub are still
// starting: such messages are kept for subscribers that come a moment later.
const (
	startTime = 5 * time.Second
	mostEarly = 8 << 20 // bytes
)

// add begins to serve a handler. gone is called when no other handler has its filter
// any more.
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

// remove reports whether no other handler has the same filter.
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

// deliver gives a message to every handler whose filter matches.
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
		s.queueEarly(m)
	}
}

// queueEarly keeps a message without a handler, for a moment after the start.
func (s *subscribers) queueEarly(m Message) {
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

// filters are what to subscribe to at the broker, each once.
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
