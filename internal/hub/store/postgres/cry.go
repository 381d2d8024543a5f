package postgres

import (
	"context"
	"sync"

	"nod"
	"nod/internal/hub"
)

// listeners want to hear what other hubs cry.
type listeners struct {
	mu  sync.Mutex
	all map[chan []byte]struct{}
}

// Broadcast implements hub.Broadcaster: a wake-up that tells of nothing in the table. It waits for
// no disk, because the server flushes only for those who wrote.
func (s *Store) Broadcast(ctx context.Context, word []byte) error {
	text, err := s.notes.cry(word)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `SELECT pg_notify($1, $2)`, s.channel, text)
	return s.explain(err)
}

// Broadcasts implements hub.Broadcaster; it hears through the connection of Watch.
func (s *Store) Broadcasts(ctx context.Context) <-chan []byte {
	ear := make(chan []byte, hub.BroadcastsKept)
	s.ears.mu.Lock()
	defer s.ears.mu.Unlock()
	if s.ears.all == nil {
		s.ears.all = map[chan []byte]struct{}{}
	}
	s.ears.all[ear] = struct{}{}
	context.AfterFunc(ctx, func() {
		s.ears.mu.Lock()
		defer s.ears.mu.Unlock()
		delete(s.ears.all, ear)
		close(ear)
	})
	return ear
}

// hearCry passes on a cry of another hub. Nobody waits for those who are slow.
func (s *Store) hearCry(by, sealed string) {
	if by == s.id {
		return
	}
	word, err := s.notes.openCry(by, sealed)
	if err != nil {
		return
	}
	s.ears.mu.Lock()
	defer s.ears.mu.Unlock()
	for ear := range s.ears.all {
		select {
		case ear <- word:
		default:
		}
	}
}

// cry is the wake-up that carries a word.
func (n *notes) cry(word []byte) (string, error) {
	switch {
	case len(word) > hub.LongestBroadcast:
		return "", nod.Errorf(nod.Internal, "a cry of %d bytes is too long", len(word))
	case n.key == nil:
		return "", nod.Errorf(nod.Unavailable, "the tables have no key for what hubs tell each other")
	}
	sealed, err := n.seal(word, kindCry)
	return n.id + " " + kindCry + " " + sealed, err
}

// openCry gives the word of a cry. Whoever may connect can repeat what it heard: a
// word counts once.
func (n *notes) openCry(by, sealed string) ([]byte, error) {
	if n.key == nil {
		return nil, errForged
	}
	word, number, err := n.unseal(by, sealed, kindCry)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if number <= n.cries[by] {
		return nil, errForged
	}
	if _, seen := n.cries[by]; n.cries == nil || !seen && len(n.cries) >= mostSeals {
		n.cries = map[string]uint64{}
	}
	n.cries[by] = number
	return word, nil
}
