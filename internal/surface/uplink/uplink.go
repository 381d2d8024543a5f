// Package uplink lets the people of a hub elsewhere answer the agents of this
// machine. The hub here stays the one that its agents ask: it goes on when the
// other is away, and what happened meanwhile is told afterwards. The connection
// goes out from here, never in.
package uplink

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"nod"
	"nod/internal/hub"
)

// Far is the hub elsewhere, as its client speaks to it.
type Far interface {
	Hello(ctx context.Context, h Hello) (Welcome, error)
	Tell(ctx context.Context, f Facts) (heard nod.Seq, err error)
	// Orders calls take for each event that concerns this host, until ctx or the
	// connection ends.
	Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error
}

// Hello is how this host comes in.
type Hello struct {
	Version string          `json:"version"`
	Log     string          `json:"log"`
	Pending []nod.RequestID `json:"pending"`
}

// Welcome is what it hears back.
type Welcome struct {
	Heard   nod.Seq       `json:"heard"`
	Head    nod.Seq       `json:"head"`
	Decided []nod.Request `json:"decided"`
}

// Options are what the uplink is built on.
type Options struct {
	Hub     *hub.Hub
	Far     Far
	Where   string // the hub elsewhere, for people to read
	Version string
	File    string // where the place in the other log is kept
	Log     *slog.Logger
}

// Uplink is the connection of this machine to a hub elsewhere.
type Uplink struct {
	Options
	notes  notebook
	up     atomic.Bool
	failed chan nod.Message // words that did not come into the log here
}

// New makes an uplink; Run connects it.
func New(o Options) *Uplink {
	return &Uplink{Options: o, notes: notebook{file: o.File}, failed: make(chan nod.Message, 64)}
}

// Up reports whether the hub elsewhere can be heard now.
func (u *Uplink) Up() bool { return u.up.Load() }

// The waits between two tries to connect, and how long a visit lasts that was a
// good one: what ended it then, a hub that was started anew for one, is soon over.
const (
	firstWait = 500 * time.Millisecond
	longWait  = 15 * time.Second
	goodVisit = 2 * time.Second
)

// Run keeps connected until ctx ends.
func (u *Uplink) Run(ctx context.Context) {
	wait := firstWait
	for ctx.Err() == nil {
		began := time.Now()
		err := u.visit(ctx)
		visited := u.up.Swap(false)
		if visited && time.Since(began) > goodVisit {
			wait = firstWait
		}
		if visited {
			u.Log.Warn("the hub elsewhere is away; agents here are asked and answered on this machine", "hub", u.Where, "err", err)
		} else if ctx.Err() == nil {
			u.Log.Info("the hub elsewhere cannot be reached", "hub", u.Where, "err", err, "again", wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait/2 + rand.N(wait)): // not all machines at once
		}
		wait = min(2*wait, longWait)
	}
}

// visit is one connection: say hello, then tell and listen until either breaks.
func (u *Uplink) visit(ctx context.Context) error {
	known, err := u.notes.read()
	if err != nil {
		return err
	}
	if known.Log, err = u.logName(ctx, known.Log); err != nil {
		return err
	}
	welcome, err := u.Far.Hello(ctx, Hello{Version: u.Version, Log: known.Log, Pending: u.pending()})
	if err != nil {
		return err
	}
	u.up.Store(true)
	u.Log.Info("linked", "hub", u.Where, "known", welcome.Heard)
	for _, r := range welcome.Decided {
		u.decide(ctx, &r)
	}
	if known.Orders == 0 || known.Orders > welcome.Head { // never linked, or the log there was begun anew
		known.Orders = welcome.Head
	}
	if err := u.notes.write(known); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	told := make(chan struct{})
	go func() {
		defer close(told)
		end(u.tell(ctx, known.Log, welcome.Heard))
	}()
	err = u.listen(ctx, known)
	end(err)
	<-told
	return context.Cause(ctx)
}

// logName names this host's log by its first event, so that a log that was begun
// anew is not taken for the old one. A log whose beginning was pruned keeps the name
// that it had.
func (u *Uplink) logName(ctx context.Context, before string) (string, error) {
	for e, err := range u.Hub.Link("uplink").Follow(ctx, 0) {
		if err != nil && nod.CodeOf(err) == nod.Gone {
			return cmp.Or(before, "pruned"), nil
		}
		return e.Hash.String(), err
	}
	return "", context.Cause(ctx)
}

func (u *Uplink) pending() []nod.RequestID {
	ids := []nod.RequestID{}
	u.Hub.Look(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			ids = append(ids, r.ID)
		}
	})
	return ids
}
