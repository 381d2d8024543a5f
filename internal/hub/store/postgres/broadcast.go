package postgres

import (
	"context"
	"sync"

	"nod"
	"nod/internal/hub"
)

// broadcasts go from hub to hub, and not through the log.
type broadcasts struct {
	*database
	sealer  *sealer
	channel string

	mu  sync.Mutex
	all map[chan []byte]struct{} // the subscribers
}

// Broadcast implements hub.Broadcaster by a notification without an append. It does
// not wait for the disk, because the server flushes only after writes.
func (b *broadcasts) Broadcast(ctx context.Context, word []byte) error {
	text, err := b.sealer.sealBroadcast(word)
	if err != nil {
		return err
	}
	_, err = b.exec(ctx, `SELECT pg_notify($1, $2)`, b.channel, text)
	return b.explain(err)
}

// Broadcasts implements hub.Broadcaster; it receives through the connection of Watch.
func (b *broadcasts) Broadcasts(ctx context.Context) <-chan []byte {
	ch := make(chan []byte, hub.BroadcastsKept)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		b.all = map[chan []byte]struct{}{}
	}
	b.all[ch] = struct{}{}
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.all, ch)
		close(ch)
	})
	return ch
}

// receiveBroadcast passes on what another hub sent. Slow subscribers lose some.
func (b *broadcasts) receiveBroadcast(by, sealed string) {
	if by == b.sealer.id {
		return
	}
	word, err := b.sealer.openBroadcast(by, sealed)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.all {
		select {
		case ch <- word:
		default:
		}
	}
}

// sealBroadcast is the notification that carries a word.
func (n *sealer) sealBroadcast(word []byte) (string, error) {
	switch {
	case len(word) > hub.LongestBroadcast:
		return "", nod.Errorf(nod.Internal, "a cry of %d bytes is too long", len(word))
	case n.key == nil:
		return "", nod.Errorf(nod.Unavailable, "the tables have no key for what hubs tell each other")
	}
	sealed, err := n.seal(word, kindBroadcast)
	return n.id + " " + kindBroadcast + " " + sealed, err
}

// openBroadcast decrypts a broadcast. Every role that may connect can replay one, so
// each number counts once.
func (n *sealer) openBroadcast(by, sealed string) ([]byte, error) {
	if n.key == nil {
		return nil, errForged
	}
	word, number, err := n.unseal(by, sealed, kindBroadcast)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if number <= n.lastBroadcast[by] {
		return nil, errForged
	}
	if _, seen := n.lastBroadcast[by]; n.lastBroadcast == nil || !seen && len(n.lastBroadcast) >= maxCiphers {
		n.lastBroadcast = map[string]uint64{}
	}
	n.lastBroadcast[by] = number
	return word, nil
}
