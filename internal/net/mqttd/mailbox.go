package mqttd

import (
	"context"
	"log/slog"
	"sync"
)

// mailboxSize is how far a handler may fall behind. Ten thousand messages that a broker
// queued while the hub was away arrive at once.
const mailboxSize = 20_000

// mailbox is the queue between the connection, which must not block, and a handler,
// which may.
type mailbox struct {
	filter string
	log    *slog.Logger

	mu      sync.Mutex
	queue   []Message
	dropped int
	ready   chan struct{}
}

func newMailbox(filter string, log *slog.Logger) *mailbox {
	return &mailbox{filter: filter, log: log, ready: make(chan struct{}, 1)}
}

func (b *mailbox) put(m Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) >= mailboxSize {
		if b.dropped++; b.dropped == 1 {
			b.log.Warn("messages come faster than they can be handled: the newest are dropped", "filter", b.filter)
		}
		return
	}
	b.queue = append(b.queue, m)
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take empties the queue.
func (b *mailbox) take() []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.queue
	b.queue = nil
	if b.dropped > 0 {
		b.log.Warn("messages were dropped", "filter", b.filter, "count", b.dropped)
		b.dropped = 0
	}
	return all
}

// serve hands messages to f until ctx ends.
func (b *mailbox) serve(ctx context.Context, f func(Message)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.ready:
		}
		for _, m := range b.take() {
			if ctx.Err() != nil {
				return
			}
			f(m)
		}
	}
}
