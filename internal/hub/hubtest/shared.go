package hubtest

import (
	"bytes"
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

var (
	_ hub.Store       = (*Shared)(nil)
	_ hub.Watcher     = (*Shared)(nil)
	_ hub.Leaser      = (*Shared)(nil)
	_ hub.Clock       = (*Shared)(nil)
	_ hub.Queue       = (*Shared)(nil)
	_ hub.Broadcaster = (*Shared)(nil)
)

// Shared is a store for several hubs, as a database server is: it notifies each of
// what the others write, and keeps leases.
type Shared struct {
	*mem.Store

	turn        sync.Mutex // held while appending
	mu          sync.Mutex
	watchers    map[chan struct{}]struct{}
	subscribers map[chan []byte]struct{}
	leases      map[string]lease
	saved       nod.Seq
	at          nod.Hash // the hash of the saved state
}

type lease struct {
	holder string
	until  time.Time
}

// NewShared is an empty store.
func NewShared() *Shared {
	return &Shared{Store: mem.New(), watchers: map[chan struct{}]struct{}{}, subscribers: map[chan []byte]struct{}{}, leases: map[string]lease{}}
}

// Append implements hub.Store.
func (s *Shared) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.append(ctx, after, es)
}

// Turn implements hub.Queue.
func (s *Shared) Turn(ctx context.Context, after nod.Seq, write func(tail []nod.Event) ([]nod.Event, error)) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	tail, err := s.Read(ctx, after, longestTail+1)
	if err != nil {
		return err
	}
	if len(tail) > longestTail {
		return nod.Errorf(nod.Conflict, "others wrote more than %d events after event %d", longestTail, after)
	}
	es, err := write(tail)
	if err != nil || len(es) == 0 {
		return err
	}
	return s.append(ctx, after+nod.Seq(len(tail)), es)
}

// longestTail is how much a hub can be behind and still get its turn.
const longestTail = 4000

func (s *Shared) append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := s.Store.Append(ctx, after, es); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.watchers {
		wakeUp(ch)
	}
	return nil
}

func wakeUp(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // one is waiting already
	}
}

// Save implements hub.Store. A hub that is late does not replace what is newer,
// unless the newer one does not fit the log.
func (s *Shared) Save(ctx context.Context, state nod.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if state.Seq < s.saved {
		if es, err := s.Read(ctx, s.saved-1, 1); err == nil && len(es) == 1 && es[0].Hash == s.at {
			return nil
		}
	}
	s.saved, s.at = state.Seq, state.Hash
	return s.Store.Save(ctx, state)
}

// Watch implements hub.Watcher.
func (s *Shared) Watch(ctx context.Context, from nod.Seq) <-chan struct{} {
	ch := make(chan struct{}, 1)
	s.mu.Lock()
	s.watchers[ch] = struct{}{}
	s.mu.Unlock()
	if es, _ := s.Read(context.Background(), from, 1); len(es) > 0 {
		wakeUp(ch)
	}
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, ch)
		close(ch)
	})
	return ch
}

// Broadcast implements hub.Broadcaster. All hubs have this one store, so each receives its own too.
func (s *Shared) Broadcast(ctx context.Context, word []byte) error {
	if len(word) > hub.LongestBroadcast {
		return nod.Errorf(nod.Internal, "a cry of %d bytes is too long", len(word))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.subscribers {
		select {
		case ch <- bytes.Clone(word):
		default:
		}
	}
	return ctx.Err()
}

// Broadcasts implements hub.Broadcaster.
func (s *Shared) Broadcasts(ctx context.Context) <-chan []byte {
	ch := make(chan []byte, hub.BroadcastsKept)
	s.mu.Lock()
	s.subscribers[ch] = struct{}{}
	s.mu.Unlock()
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subscribers, ch)
		close(ch)
	})
	return ch
}

// Lease implements hub.Leaser.
func (s *Shared) Lease(ctx context.Context, name, holder string, d time.Duration) (held bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if l, ok := s.leases[name]; ok && l.holder != holder && l.until.After(now) {
		return false, nil
	}
	if d <= 0 {
		if s.leases[name].holder == holder {
			delete(s.leases, name)
		}
		return false, nil
	}
	s.leases[name] = lease{holder, now.Add(d)}
	return true, nil
}

// Clock implements hub.Clock.
func (s *Shared) Clock(ctx context.Context) (time.Time, error) { return time.Now(), ctx.Err() }
