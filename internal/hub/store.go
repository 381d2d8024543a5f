package hub

import (
	"context"
	"errors"
	"time"

	"nod"
)

// Store keeps the log. It is durable, ordered and gap-free.
//
// Append writes events that are sealed and follow `after` one by one; when it
// returns nil they are on disk, all of them. It fails with Conflict when the
// head is not `after` (another hub wrote), and then none of them is there. With
// any other failure all are there or none, and only a Read tells which: the
// answer of a database may be lost on its way. Where the store knows that none is
// there, ErrNotWritten is among the causes. Append ends in bounded time.
//
// Read returns up to limit (at least 1) events after `after`, in order, with
// their exact bytes and hashes as they were appended. It may return fewer; only
// an empty result means that `after` is the head. It fails with Gone when `after` lies below what is kept, or above
// the head.
//
// Save keeps a State so that a start need not read the whole log; it may be
// older than the head. Load returns the newest one, or an empty State.
//
// All methods may be called at the same time from several goroutines; only one
// of them appends.
type Store interface {
	Append(ctx context.Context, after nod.Seq, es []nod.Event) error
	Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error)
	Save(ctx context.Context, s nod.State) error
	Load(ctx context.Context) (nod.State, error)
}

// ErrNotWritten says for certain that nothing of an append is in the log: it was
// never sent, or refused as a whole.
var ErrNotWritten = errors.New("nothing was written")

// Watcher is an extra power of a Store that several hubs share. The channel
// gets a value when another hub may have appended after `from`. A spurious value
// does no harm, and a lost one only makes a hub late. It is closed when ctx ends.
type Watcher interface {
	Watch(ctx context.Context, from nod.Seq) <-chan struct{}
}

// Leaser is an extra power of a Store that several hubs share: what only one of
// them may do is done by the holder of the lease of that name. Lease acquires or
// renews it, by the store's own clock; held is false when another holder has it. A
// time of 0 or less releases it.
type Leaser interface {
	Lease(ctx context.Context, name, holder string, d time.Duration) (held bool, err error)
}

// Queue is an extra power of a Store that several hubs share: those that write
// all the time take turns. Turn waits until no other hub may append, gives write
// everything after `after`, and appends what write returns before another hub
// can. write is quick and calls nothing of the Store; when it fails or returns
// nothing, nothing is appended and its error is returned. With any other error it
// is as with Append. More than four thousand events after `after` are a Conflict.
type Queue interface {
	Turn(ctx context.Context, after nod.Seq, write func(tail []nod.Event) ([]nod.Event, error)) error
}

// Broadcaster is an extra power of a Store that several hubs share, for what is no fact
// and may be lost. Broadcast sends up to LongestBroadcast bytes to the others.
// Broadcasts receives theirs, those of each hub in order, for as long as the store is
// watched; a slow reader loses some. A hub may receive its own. The channel is closed
// when ctx ends.
type Broadcaster interface {
	Broadcast(ctx context.Context, word []byte) error
	Broadcasts(ctx context.Context) <-chan []byte
}

// LongestBroadcast bounds one broadcast, and BroadcastsKept how many wait for a slow reader.
const (
	LongestBroadcast = 5000
	BroadcastsKept   = 256
)

// Clock is an extra power of a Store that several hubs share: the one clock that
// they all go by.
type Clock interface {
	Clock(ctx context.Context) (time.Time, error)
}

// Historian is an extra power of a Store: to find old events of one agent or
// one request without reading the whole log.
type Historian interface {
	// Find returns up to limit matching events before a place in the log (0: from
	// the end), newest first.
	Find(ctx context.Context, q Query, before nod.Seq, limit int) ([]nod.Event, error)
}

// Query selects events; an empty field matches everything.
type Query struct {
	Kinds   []nod.EventKind
	Agent   nod.AgentID   // events whose AgentID is this
	Request nod.RequestID // events whose RequestID is this, or begins with it when Prefix is set
	Prefix  bool
}

// Matches reports whether an event is selected.
func (q Query) Matches(e *nod.Event) bool {
	if q.Agent != "" && e.AgentID != q.Agent {
		return false
	}
	if q.Request != "" {
		whole := e.RequestID == q.Request
		begins := q.Prefix && len(e.RequestID) >= len(q.Request) && e.RequestID[:len(q.Request)] == q.Request
		if !whole && !begins {
			return false
		}
	}
	if len(q.Kinds) == 0 {
		return true
	}
	for _, k := range q.Kinds {
		if k == e.Kind {
			return true
		}
	}
	return false
}
