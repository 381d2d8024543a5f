package auth

import (
	"context"
	"time"
)

// A device that is used asks again and again: a vault across a network need not be
// asked each time. What is revoked here is forgotten at once, what is revoked at
// another hub within rememberFor, which is less than Watch takes for open visits.
const (
	cacheFor  = 3 * time.Second
	cacheSize = 1000
)

// tokenCache holds credentials that the vault had a moment ago.
type tokenCache struct {
	tokens        map[string]cachedToken
	invalidations int // how often something was forgotten
}

type cachedToken struct {
	token Token
	until time.Time
}

func (m *tokenCache) invalidate(id string) {
	m.invalidations++
	delete(m.tokens, id)
}

// lookup finds a credential, in memory if it was asked for just now.
func (k *Credentials) lookup(ctx context.Context, id string) (Token, error) {
	began := k.now()
	k.mu.Lock()
	r, ok := k.cache.tokens[id]
	ends := k.cache.invalidations
	k.mu.Unlock()
	if left := r.until.Sub(began); ok && left > 0 && left <= cacheFor { // a clock that was set back makes nothing last longer
		return r.token, nil
	}
	t, err := k.store.Get(ctx, id)
	if err != nil {
		return t, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cache.invalidations != ends {
		return t, nil // something was revoked while the vault was asked: perhaps this
	}
	if len(k.cache.tokens) >= cacheSize || k.cache.tokens == nil {
		k.cache.tokens = map[string]cachedToken{}
	}
	k.cache.tokens[id] = cachedToken{t, began.Add(cacheFor)}
	return t, nil
}
