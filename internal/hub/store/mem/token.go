package mem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"nod/internal/hub/record"
	"nod/internal/net/auth"
)

// Put implements auth.TokenStore.
func (s *Store) Put(_ context.Context, t auth.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[t.ID] = own(t)
	return nil
}

// Get implements auth.TokenStore.
func (s *Store) Get(_ context.Context, id string) (auth.Token, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.tokens[id]
	if !ok {
		return auth.Token{}, record.NoToken(id)
	}
	return own(t), nil
}

// List implements auth.TokenStore.
func (s *Store) List(context.Context) ([]auth.Token, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]auth.Token, 0, len(s.tokens))
	for _, t := range s.tokens {
		list = append(list, own(t))
	}
	slices.SortFunc(list, func(a, b auth.Token) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Delete implements auth.TokenStore.
func (s *Store) Delete(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tokens[id]; !ok {
		return record.NoToken(id)
	}
	delete(s.tokens, id)
	s.push.forget(id)
	return nil
}

// Touch implements auth.TokenStore.
func (s *Store) Touch(_ context.Context, id string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tokens[id]
	if !ok {
		return record.NoToken(id)
	}
	at = at.UTC()
	t.Used = &at
	s.tokens[id] = t
	return nil
}

// own is a copy that shares no pointer with t.
func own(t auth.Token) auth.Token {
	t.Created = t.Created.UTC()
	t.Expires, t.Used = utc(t.Expires), utc(t.Used)
	return t
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	c := t.UTC()
	return &c
}
