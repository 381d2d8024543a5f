package passkey

import (
	"bytes"
	"context"
	"sync"
)

var _ Slips = (*Memory)(nil)

// Memory keeps the slips of a hub that is alone. A restart forgets all of them,
// which costs a person one more touch. The zero value is empty.
type Memory struct {
	mu  sync.Mutex
	all map[[32]byte]Slip
}

// PutSlip implements Slips.
func (m *Memory) PutSlip(_ context.Context, s Slip) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var same, mine int
	var oldest Slip
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
	if mine >= SlipsEach {
		delete(m.all, oldest.Hash)
		same--
	}
	if same >= SlipsAll {
		return ErrFull
	}
	if m.all == nil {
		m.all = map[[32]byte]Slip{}
	}
	s.Body = bytes.Clone(s.Body)
	m.all[s.Hash] = s
	return nil
}

// older puts slips of the same moment in some order, the same for every keeper.
func older(a, b Slip) bool {
	if !a.Expires.Equal(b.Expires) {
		return a.Expires.Before(b.Expires)
	}
	return bytes.Compare(a.Hash[:], b.Hash[:]) < 0
}

// TakeSlip implements Slips.
func (m *Memory) TakeSlip(_ context.Context, hash [32]byte) (Slip, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.all[hash]
	if !ok {
		return Slip{}, NoSlip()
	}
	delete(m.all, hash)
	return s, nil
}
