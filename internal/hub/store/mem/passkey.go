package mem

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"nod/internal/hub/record"
	"nod/internal/net/passkey"
)

var _ passkey.KeyStore = (*Store)(nil)

// PutPasskey implements passkey.KeyStore.
func (s *Store) PutPasskey(_ context.Context, k passkey.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.passkey(k.ID) >= 0 {
		return record.PasskeyExists(k.ID)
	}
	s.addKey(k)
	return nil
}

// PutFirstPasskey implements passkey.KeyStore.
func (s *Store) PutFirstPasskey(_ context.Context, k passkey.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.keys) > 0 {
		return record.NotFirstPasskey()
	}
	s.addKey(k)
	return nil
}

func (s *Store) addKey(k passkey.Key) {
	s.keys = append(s.keys, ownKey(k))
	slices.SortFunc(s.keys, func(a, b passkey.Key) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
}

// Passkeys implements passkey.KeyStore.
func (s *Store) Passkeys(context.Context) ([]passkey.Key, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]passkey.Key, 0, len(s.keys))
	for _, k := range s.keys {
		list = append(list, ownKey(k))
	}
	return list, nil
}

// UsePasskey implements passkey.KeyStore.
func (s *Store) UsePasskey(_ context.Context, id string, count uint32, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.passkey(id)
	if i < 0 {
		return record.NoPasskey(id)
	}
	if was := s.keys[i].Count; count <= was && count+was > 0 {
		return record.PasskeyReplayed(id, count, was)
	}
	s.keys[i].Count, s.keys[i].Used = count, &at
	return nil
}

// DeletePasskey implements passkey.KeyStore.
func (s *Store) DeletePasskey(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.passkey(id)
	if i < 0 {
		return record.NoPasskey(id)
	}
	s.keys = slices.Delete(s.keys, i, i+1)
	return nil
}

func (s *Store) passkey(id string) int {
	return slices.IndexFunc(s.keys, func(k passkey.Key) bool { return k.ID == id })
}

// ownKey is a copy that shares no memory with k.
func ownKey(k passkey.Key) passkey.Key {
	k.Credential, k.Public = bytes.Clone(k.Credential), bytes.Clone(k.Public)
	k.Transports = slices.Clone(k.Transports)
	if k.Used != nil {
		at := *k.Used
		k.Used = &at
	}
	return k
}
