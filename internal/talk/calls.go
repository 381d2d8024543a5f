package talk

import (
	"net/netip"
	"sync"
	"time"

	"nod"
)

// TooOften is a client that asks more than it may.
type TooOften struct {
	After time.Duration // when it may ask again
	cause error
}

func (e *TooOften) Error() string { return e.cause.Error() }
func (e *TooOften) Unwrap() error { return e.cause }

// calls counts the questions of each client within the last minute.
type calls struct {
	mu sync.Mutex
	of map[string][]time.Time
}

// mostClients bounds whom is counted; beyond that the quietest are forgotten.
const mostClients = 1000

// count refuses a question when there were too many within a minute.
func (c *calls) count(client string, rate int, now time.Time) error {
	if rate <= 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string][]time.Time{}
	}
	client = network(client)
	recent := c.of[client]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Minute {
		recent = recent[1:]
	}
	if len(recent) >= rate {
		after := recent[0].Add(time.Minute).Sub(now)
		c.of[client] = recent
		return &TooOften{after, nod.Errorf(nod.Unavailable, "%d questions a minute are accepted from one client: try again in %d seconds", rate, int(after/time.Second)+1)}
	}
	c.of[client] = append(recent, now)
	for other, times := range c.of {
		if len(c.of) <= mostClients {
			break
		}
		if len(times) == 0 || now.Sub(times[len(times)-1]) >= time.Minute {
			delete(c.of, other)
		}
	}
	return nil
}

// homeBits is how much of an address is given to one household: the rest of it each
// of their devices chooses, and anew as often as it likes.
const homeBits = 64

// network is who is counted: a client that is known by its address alone is the
// network it comes from.
func network(client string) string {
	if addr, err := netip.ParseAddr(client); err == nil && addr.Is6() && !addr.Is4In6() {
		if home, err := addr.WithZone("").Prefix(homeBits); err == nil {
			return home.String()
		}
	}
	return client
}
