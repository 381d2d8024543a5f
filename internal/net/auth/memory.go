package auth

import (
	"context"
	"time"
)

// A device that is used asks again and again: a vault across a network need not be
// asked each time. What is revoked here is forgotten at once, what is revoked at
// another hub within rememberFor, which is less than Watch takes for open visits.
const (
	rememberFor = 3 * time.Second
	rememberAll = 1000
)

// memory holds credentials that the vault had a moment ago.
type memory struct {
	tokens map[string]remembered
	ends   int // how often something was forgotten
}

type remembered struct {
	token Token
	until time.Time
}

func (m *memory) forget(id string) {
	m.ends++
	delete(m.tokens, id)
}

// recall finds a credential, in memory if it was asked for just now.
func (k *Credentials) recall(ctx context.Context, id string) (Token, error) {
	began := k.now()
	k.mu.Lock()
	r, ok := k.known.tokens[id]
	ends := k.known.ends
	k.mu.Unlock()
	if left := r.until.Sub(began); ok && left > 0 && left <= rememberFor { // a clock that was set back makes nothing last longer
		return r.token, nil
	}
	t, err := k.vault.Get(ctx, id)
	if err != nil {
		return t, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known.ends != ends {
		return t, nil // something was revoked while the vault was asked: perhaps this
	}
	if len(k.known.tokens) >= rememberAll || k.known.tokens == nil {
		k.known.tokens = map[string]remembered{}
	}
	k.known.tokens[id] = remembered{t, began.Add(rememberFor)}
	return t, nil
}
