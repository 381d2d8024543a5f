package passkey

import (
	"bytes"
	"context"
	"sync"
)

var _ OneTimeTokenStore = (*Memory)(nil)

// Memory stores the one-time tokens of a hub that is alone. A restart loses them,
// which costs a person one more touch. The zero value is empty.
type Memory struct {
	mu  sync.Mutex
	all map[[32]byte]OneTimeToken
}

// PutOneTimeToken implements OneTimeTokenStore.
func (m *Memory) PutOneTimeToken(_ context.Context, s OneTimeToken) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var same, mine int
	var oldest OneTimeToken
	for hash, p := range m.all {
		switch {
		case !p.Expires.After(s.Created):
			delete(m.all, hash)
		case p.Kind == s.Kind:
			same++
			if p.Holder != s.Holder {
				continue
			}
			if mine++; mine == 1 || older(p, oldest) {
				oldest = p
			}
		}
	}
	if mine >= MaxPerHolder {
		delete(m.all, oldest.Hash)
		same--
	}
	if same >= MaxPerKind {
		return ErrFull
	}
	if m.all == nil {
		m.all = map[[32]byte]OneTimeToken{}
	}
	s.Body = bytes.Clone(s.Body)
	m.all[s.Hash] = s
	return nil
}

// older breaks ties by hash, so that every store drops the same token.
func older(a, b OneTimeToken) bool {
	if !a.Expires.Equal(b.Expires) {
		return a.Expires.Before(b.Expires)
	}
	return bytes.Compare(a.Hash[:], b.Hash[:]) < 0
}

// TakeOneTimeToken implements OneTimeTokenStore.
func (m *Memory) TakeOneTimeToken(_ context.Context, hash [32]byte) (OneTimeToken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.all[hash]
	if !ok {
		return OneTimeToken{}, NoOneTimeToken()
	}
	delete(m.all, hash)
	return s, nil
}
