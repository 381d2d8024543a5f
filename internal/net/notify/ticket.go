package notify

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"sync"

	"nod"
)

// Ticket is the right to give one answer to one request once, from the channel it was sent to. Its code is only in
// the note; nod keeps a hash.
type Ticket struct {
	Hash    nod.Hash      `json:"hash"`
	Request nod.RequestID `json:"request"`
	Verdict nod.Verdict   `json:"verdict"`
	Channel string        `json:"channel"`
	Chat    bool          `json:"chat,omitempty"` // valid only in the channel's own chat, never as a link
}

// A note that is shown again gets new codes, and the old one may still be on a screen. So several are valid at a
// time, but not without limit.
const mostAlike = 4

// Tickets are the valid ones, oldest first. They stay valid while their request is pending; settling it drops them.
type Tickets struct {
	mu   sync.Mutex
	list []Ticket
}

// codeLength is 32 random bytes in base64url.
const codeLength = 43

// Issue makes a ticket and returns its code.
func (t *Tickets) Issue(of Ticket) string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails (crypto/rand)
	code := base64.RawURLEncoding.EncodeToString(secret)
	of.Hash = hashOf(code)
	t.mu.Lock()
	defer t.mu.Unlock()
	alike := 0
	for i := len(t.list) - 1; i >= 0; i-- {
		o := t.list[i]
		if o.Request != of.Request || o.Verdict != of.Verdict || o.Channel != of.Channel {
			continue
		}
		if alike++; alike >= mostAlike {
			t.list = slices.Delete(t.list, i, i+1)
		}
	}
	t.list = append(t.list, of)
	return code
}

// Find returns a ticket without using it.
func (t *Tickets) Find(code string) (Ticket, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := t.index(code); i >= 0 {
		return t.list[i], true
	}
	return Ticket{}, false
}

// Take uses a ticket; of two concurrent calls one gets it.
func (t *Tickets) Take(code string) (Ticket, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.index(code)
	if i < 0 {
		return Ticket{}, false
	}
	ticket := t.list[i]
	t.list = slices.Delete(t.list, i, i+1)
	return ticket, true
}

// Return gives back a ticket whose use failed through no fault of the user.
func (t *Tickets) Return(ticket Ticket) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, ticket)
}

// Keep drops the tickets of requests that are no longer pending.
func (t *Tickets) Keep(waits func(nod.RequestID) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = slices.DeleteFunc(t.list, func(k Ticket) bool { return !waits(k.Request) })
}

// All returns all tickets, to be saved over a restart.
func (t *Tickets) All() []Ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}

// Restore restores what All returned.
func (t *Tickets) Restore(list []Ticket) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = slices.Clone(list)
}

// Learn adds the ticket of a code that another hub has issued, if it is among these.
func (t *Tickets) Learn(code string, among []Ticket) {
	theirs := Tickets{list: among}
	if i := theirs.index(code); i >= 0 {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.index(code) < 0 {
			t.list = append(t.list, among[i])
		}
	}
}

// index finds a code's ticket. Codes are compared by hash, so the timing reveals nothing about the code.
func (t *Tickets) index(code string) int {
	if len(code) != codeLength {
		return -1
	}
	hash := hashOf(code)
	return slices.IndexFunc(t.list, func(k Ticket) bool { return k.Hash == hash })
}

func hashOf(code string) nod.Hash { return sha256.Sum256([]byte(code)) }
