package talk

import (
	"net/netip"
	"sync"
	"time"

	"nod"
)

// TooOften is the error for a client that exceeds its rate limit.
type TooOften struct {
	After time.Duration // when it may ask again
	cause error
}

func (e *TooOften) Error() string { return e.cause.Error() }
func (e *TooOften) Unwrap() error { return e.cause }

// Rate limits how often one client may ask within a minute.
type Rate struct {
	Most int // 0: no limit

	mu sync.Mutex
	of map[string][]time.Time // the questions of the last minute
}

// mostClients is how many clients are counted; beyond that, those without a question
// in the last minute are forgotten.
const mostClients = 1000

// Count counts a question, or refuses it with a TooOften.
func (r *Rate) Count(client string, now time.Time) error {
	if r.Most <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string][]time.Time{}
	}
	client = network(client)
	recent := r.of[client]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	if len(recent) >= r.Most {
		after := recent[0].Add(time.Minute).Sub(now)
		r.of[client] = recent
		return &TooOften{after, nod.Errorf(nod.Unavailable, "%d questions a minute are accepted from one client: try again in %d seconds", r.Most, int(after/time.Second)+1)}
	}
	r.of[client] = append(recent, now)
	for other, times := range r.of {
		if len(r.of) <= mostClients {
			break
		}
		if len(times) == 0 || now.Sub(times[len(times)-1]) >= time.Minute {
			delete(r.of, other)
		}
	}
	return nil
}

// homeBits is the part of an IPv6 address that is assigned to one household; its
// devices choose the rest themselves, and can change it at any time.
const homeBits = 64

// network is the key that is counted: a client that is known only by its IPv6 address
// counts as its whole network.
func network(client string) string {
	if addr, err := netip.ParseAddr(client); err == nil && addr.Is6() && !addr.Is4In6() {
		if home, err := addr.WithZone("").Prefix(homeBits); err == nil {
			return home.String()
		}
	}
	return client
}
