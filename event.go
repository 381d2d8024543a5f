package nod

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Seq is a position in the log: 1, 2, 3, … without gaps. It is also the SSE Last-Event-ID.
type Seq uint64

// Event is one fact. Sealing fixes its bytes, and its hash covers them and the previous hash, so no fact can be
// changed or removed without a trace.
type Event struct {
	Seq        Seq         `json:"seq"`
	At         time.Time   `json:"at"`
	Kind       EventKind   `json:"kind"`
	AgentID    AgentID     `json:"agent_id,omitempty"`
	RequestID  RequestID   `json:"request_id,omitempty"`
	By         *Actor      `json:"by,omitempty"`
	Agent      *Agent      `json:"agent,omitempty"`
	Request    *Request    `json:"request,omitempty"`
	Decision   *Decision   `json:"decision,omitempty"`
	Withdrawal *Withdrawal `json:"withdrawal,omitempty"`
	Receipt    *Receipt    `json:"receipt,omitempty"`
	Turn       *Turn       `json:"turn,omitempty"`
	Message    *Message    `json:"message,omitempty"`
	Lease      *Lease      `json:"lease,omitempty"`
	Host       *Host       `json:"host,omitempty"`
	Note       string      `json:"note,omitempty"`

	Hash Hash `json:"-"`
	body []byte
}

// EventKind is the kind of a fact.
type EventKind string

const (
	AgentChanged     EventKind = "agent.changed"     // Agent: the whole current record
	RequestRaised    EventKind = "request.raised"    // Request
	RequestDecided   EventKind = "request.decided"   // Decision
	RequestWithdrawn EventKind = "request.withdrawn" // Withdrawal
	RequestExpired   EventKind = "request.expired"
	RequestReceipt   EventKind = "request.receipt"   // Receipt: shown, delivered, applied, doubted, overruled
	TurnTaken        EventKind = "turn.taken"        // Turn
	MessageSaid      EventKind = "message.said"      // Message: a person writes to an agent
	MessageTyped     EventKind = "message.typed"     // Message
	MessageDelivered EventKind = "message.delivered" // Message
	MessageFailed    EventKind = "message.failed"    // Message
	LeaseGranted     EventKind = "lease.granted"     // Lease
	LeaseEnded       EventKind = "lease.ended"       // Lease, with its End
	StopPressed      EventKind = "stop.pressed"      // By: the stop button; AgentID when it is for one agent
	KeyPressed       EventKind = "key.pressed"       // By and Note: which key of AgentID's terminal
	AccessRefused    EventKind = "access.refused"    // By and Note: who tried what without the right
	HostChanged      EventKind = "host.changed"      // Host: the whole current record
	HubStarted       EventKind = "hub.started"       // Note: version
)

// Hash links an event to everything before it.
type Hash [sha256.Size]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText writes the same as String.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

func (h *Hash) UnmarshalText(b []byte) (err error) {
	*h, err = ParseHash(string(b))
	return err
}

// ParseHash reads what String wrote.
func ParseHash(s string) (h Hash, err error) {
	if n, err := hex.Decode(h[:], []byte(s)); err != nil || n != len(h) || len(s) != 2*len(h) {
		return Hash{}, Errorf(Invalid, "%q is no hash: 64 hexadecimal digits are expected", s)
	}
	return h, nil
}

// Seal fixes the event's bytes and links it to the previous event.
func (e *Event) Seal(prev Hash) error {
	body, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	e.body, e.Hash = body, Chain(prev, body)
	return nil
}

// Body is the event's fixed JSON. It must not be changed.
func (e *Event) Body() []byte { return e.body }

// Chain computes the hash of an event's bytes after prev.
func Chain(prev Hash, body []byte) Hash {
	d := sha256.New()
	d.Write(prev[:])
	d.Write(body)
	return Hash(d.Sum(nil))
}

// Unseal reads an event back from its bytes. It does not check the hash, Verify does: a store must be able to show a
// broken log too.
func Unseal(body []byte, hash Hash) (Event, error) {
	var e Event
	if err := json.Unmarshal(body, &e); err != nil {
		return Event{}, fmt.Errorf("event does not parse: %w", err)
	}
	e.body, e.Hash = body, hash
	return e, nil
}

// Verify checks that e is unchanged and follows the event prev with this hash.
func (e *Event) Verify(prev Seq, hash Hash) error {
	switch {
	case e.Seq != prev+1:
		return Errorf(Conflict, "event %d is missing: event %d follows %d", prev+1, e.Seq, prev)
	case Chain(hash, e.body) != e.Hash:
		return Errorf(Conflict, "event %d (%s, %s) was changed, or one before it was", e.Seq, e.Kind, e.At.Format(time.RFC3339))
	}
	return nil
}
