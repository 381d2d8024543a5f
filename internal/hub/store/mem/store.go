// Package mem keeps the log, tokens, passkeys and subscriptions in memory, for tests
// and for the demo. It behaves like a store on disk: what is read back is decoded
// from bytes, so nothing is shared with the writer.
package mem

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/record"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
)

var (
	_ hub.Store       = (*Store)(nil)
	_ hub.Historian   = (*Store)(nil)
	_ auth.TokenStore = (*Store)(nil)
)

// Store ends with the process.
type Store struct {
	mu     sync.RWMutex
	log    []nod.Event // event n is log[n-1]
	state  []byte
	tokens map[string]auth.Token
	push   pushState
	keys   []passkey.Key // by creation
}

// New makes an empty store.
func New() *Store { return &Store{tokens: map[string]auth.Token{}} }

// Append implements hub.Store.
func (s *Store) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := record.Appendable(after, es); err != nil {
		return err
	}
	own := make([]nod.Event, len(es))
	for i := range es {
		var err error
		if own[i], err = nod.Unseal(bytes.Clone(es[i].Body()), es[i].Hash); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if head := nod.Seq(len(s.log)); head != after {
		return nod.Errorf(nod.Conflict, "the log ends at event %d, not at %d: somebody else wrote to it", head, after)
	}
	s.log = append(s.log, own...)
	return nil
}

// Read implements hub.Store.
func (s *Store) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d reads nothing: ask for at least 1", limit)
	}
	log, err := s.events(ctx)
	if err != nil {
		return nil, err
	}
	head := nod.Seq(len(log))
	if after > head {
		return nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d", after, head)
	}
	log = log[after:]
	es := make([]nod.Event, min(limit, len(log)))
	for i := range es {
		if es[i], err = nod.Unseal(log[i].Body(), log[i].Hash); err != nil {
			return nil, err
		}
	}
	return es, nil
}

// Find implements hub.Historian.
func (s *Store) Find(ctx context.Context, q hub.Query, before nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d finds nothing: ask for at least 1", limit)
	}
	log, err := s.events(ctx)
	if err != nil {
		return nil, err
	}
	if before > 0 {
		log = log[:min(before-1, nod.Seq(len(log)))]
	}
	var found []nod.Event
	for i := len(log) - 1; i >= 0 && len(found) < limit; i-- {
		if !q.Matches(&log[i]) {
			continue
		}
		e, err := nod.Unseal(log[i].Body(), log[i].Hash)
		if err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, nil
}

// events is the log so far; what it holds never changes, so it may be read
// without the lock.
func (s *Store) events(ctx context.Context) ([]nod.Event, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.log, ctx.Err()
}

// Save implements hub.Store.
func (s *Store) Save(ctx context.Context, state nod.State) error {
	body, err := record.EncodeState(state)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = body
	return ctx.Err()
}

// Load implements hub.Store.
func (s *Store) Load(ctx context.Context) (nod.State, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	state := nod.NewState()
	if s.state == nil {
		return state, ctx.Err()
	}
	if err := json.Unmarshal(s.state, &state); err != nil {
		return nod.State{}, nod.Errorf(nod.Internal, "the saved state does not parse").Because(err)
	}
	return state, ctx.Err()
}

// Close forgets nothing that was not forgotten anyway.
func (s *Store) Close() error { return nil }
