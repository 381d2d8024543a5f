package passkey

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"time"
)

// How much is kept in memory. A restart forgets all of it, which costs a person
// one more touch.
const (
	slipsEach = 4 // of one actor; its oldest gives way
	slipsAll  = 256
)

// slips are secrets that count once and not for long.
type slips[T any] struct {
	mu  sync.Mutex
	all map[[32]byte]slip[T] // by hash, so that the time to find one tells nothing
}

type slip[T any] struct {
	who     string
	expires time.Time
	value   T
}

// put keeps a value under a new secret; ok is false when there are too many.
func (s *slips[T]) put(who string, value T, now time.Time, life time.Duration) (secret string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var mine int
	var oldest [32]byte
	for key, p := range s.all {
		if !p.expires.After(now) {
			delete(s.all, key)
			continue
		}
		if p.who == who {
			if mine == 0 || p.expires.Before(s.all[oldest].expires) {
				oldest = key
			}
			mine++
		}
	}
	if mine >= slipsEach {
		delete(s.all, oldest)
	}
	if len(s.all) >= slipsAll {
		return "", false
	}
	if s.all == nil {
		s.all = map[[32]byte]slip[T]{}
	}
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	secret = base64.RawURLEncoding.EncodeToString(b)
	s.all[sha256.Sum256([]byte(secret))] = slip[T]{who, now.Add(life), value}
	return secret, true
}

// take spends a secret: whoever shows it has used it up, right or wrong.
func (s *slips[T]) take(secret string, now time.Time) (value T, who string, ok bool) {
	key := sha256.Sum256([]byte(secret))
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.all[key]
	delete(s.all, key)
	if !ok || !p.expires.After(now) {
		return value, "", false
	}
	return p.value, p.who, true
}
