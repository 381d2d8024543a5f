package postgres

import (
	"context"
	"sync"

	"nod"
	"nod/internal/hub"
)

// subscribers receive the broadcasts of other hubs.
type subscribers struct {
	mu  sync.Mutex
	all map[chan []byte]struct{}
}

// Broadcast implements hub.Broadcaster by a notification without an append. It does
// not wait for the disk, because the server flushes only after writes.
func (s *Store) Broadcast(ctx context.Context, word []byte) error {
	text, err := s.sealer.sealBroadcast(word)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `SELECT pg_notify($1, $2)`, s.channel, text)
	return s.explain(err)
}

// Broadcasts implements hub.Broadcaster; it receives through the connection of Watch.
func (s *Store) Broadcasts(ctx context.Context) <-chan []byte {
	ch := make(chan []byte, hub.BroadcastsKept)
	s.broadcasts.mu.Lock()
	defer s.broadcasts.mu.Unlock()
	if s.broadcasts.all == nil {
		s.broadcasts.all = map[chan []byte]struct{}{}
	}
	s.broadcasts.all[ch] = struct{}{}
	context.AfterFunc(ctx, func() {
		s.broadcasts.mu.Lock()
		defer s.broadcasts.mu.Unlock()
		delete(s.broadcasts.all, ch)
		close(ch)
	})
	return ch
}

// receiveBroadcast passes on what another hub sent. Slow subscribers lose some.
func (s *Store) receiveBroadcast(by, sealed string) {
	if by == s.id {
		return
	}
	word, err := s.sealer.openBroadcast(by, sealed)
	if err != nil {
		return
	}
	s.broadcasts.mu.Lock()
	defer s.broadcasts.mu.Unlock()
	for ch := range s.broadcasts.all {
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
