package mem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/net/auth"
)

// Put implements auth.Vault.
func (s *Store) Put(_ context.Context, t auth.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[t.ID] = own(t)
	return nil
}

// Get implements auth.Vault.
func (s *Store) Get(_ context.Context, id string) (auth.Token, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.tokens[id]
	if !ok {
		return auth.Token{}, unknown(id)
	}
	return own(t), nil
}

// List implements auth.Vault.
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

// Delete implements auth.Vault.
func (s *Store) Delete(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.tokens[id]; !ok {
		return unknown(id)
	}
	delete(s.tokens, id)
	s.push.forget(id)
	return nil
}

// Touch implements auth.Vault.
func (s *Store) Touch(_ context.Context, id string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tokens[id]
	if !ok {
		return unknown(id)
	}
	at = at.UTC()
	t.Used = &at
	s.tokens[id] = t
	return nil
}

func unknown(id string) error { return nod.Errorf(nod.NotFound, "there is no token %q", id) }

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
