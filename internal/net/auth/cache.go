package auth

import (
	"context"
	"time"
)

// A device in use sends many requests, and the store may be across a network. A
// token revoked here leaves the cache at once, one revoked at another hub after
// cacheFor, which is sooner than Watch ends its open sessions.
const (
	cacheFor  = 3 * time.Second
	cacheSize = 1000
)

// tokenCache holds tokens that were read from the store a moment ago.
type tokenCache struct {
	tokens        map[string]cachedToken
	invalidations int // counts calls of invalidate
}

type cachedToken struct {
	token Token
	until time.Time
}

func (m *tokenCache) invalidate(id string) {
	m.invalidations++
	delete(m.tokens, id)
}

// lookup finds a token in the cache or in the store.
func (k *Credentials) lookup(ctx context.Context, id string) (Token, error) {
	began := k.now()
	k.mu.Lock()
	r, ok := k.cache.tokens[id]
	ends := k.cache.invalidations
	k.mu.Unlock()
	if left := r.until.Sub(began); ok && left > 0 && left <= cacheFor { // an entry must not live longer because the clock was set back
		return r.token, nil
	}
	t, err := k.store.Get(ctx, id)
	if err != nil {
		return t, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cache.invalidations != ends {
		return t, nil // something was revoked during the read, perhaps this very token
	}
	if len(k.cache.tokens) >= cacheSize || k.cache.tokens == nil {
		k.cache.tokens = map[string]cachedToken{}
	}
	k.cache.tokens[id] = cachedToken{t, began.Add(cacheFor)}
	return t, nil
}
