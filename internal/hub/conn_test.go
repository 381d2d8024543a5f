package hub_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// conn is one hub's connection to the store that all share, with everything that can
// go wrong on it.
type conn struct {
	*hubtest.Shared
	deaf    bool // gets no wake-ups
	fault   func(n int) fault
	appends atomic.Int32
	cut     atomic.Bool // nothing gets through
	forged  atomic.Bool // what is read was changed
	silent  atomic.Bool // the store takes what it is asked, and says nothing
}

type fault int

const (
	none    fault = iota
	lostAck       // it was written, and the answer is lost
	refused       // it was not written
	late          // it is written after all callers have given up
	slow          // it is written a little later
)

var errLost = nod.Errorf(nod.Unavailable, "the connection was lost")

// next is what goes wrong with the next append.
func (w *conn) next() fault {
	if n := int(w.appends.Add(1)); w.fault != nil {
		return w.fault(n)
	}
	return none
}

func (w *conn) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if w.cut.Load() {
		return errLost
	}
	return w.append(ctx, w.next(), after, es)
}

func (w *conn) append(ctx context.Context, what fault, after nod.Seq, es []nod.Event) error {
	switch what {
	case refused:
		return errLost
	case lostAck:
		if err := w.Shared.Append(ctx, after, es); err != nil {
			return err
		}
		return errLost
	case late, slow:
		time.AfterFunc(map[fault]time.Duration{late: time.Second, slow: time.Millisecond}[what], func() { _ = w.Shared.Append(context.Background(), after, es) })
		return errLost
	}
	return w.Shared.Append(ctx, after, es)
}

func (w *conn) Turn(ctx context.Context, after nod.Seq, write func([]nod.Event) ([]nod.Event, error)) error {
	if w.cut.Load() {
		return errLost
	}
	what := w.next()
	err := w.Shared.Turn(ctx, after, func(tail []nod.Event) ([]nod.Event, error) {
		if w.forged.Load() && len(tail) > 0 {
			tail[0].Hash[0] ^= 1
		}
		es, err := write(tail)
		if err != nil || len(es) == 0 || what == none || what == lostAck {
			return es, err
		}
		return nil, w.append(ctx, what, after+nod.Seq(len(tail)), es)
	})
	if err == nil && what == lostAck {
		return errLost
	}
	return err
}

func (w *conn) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if w.cut.Load() {
		return nil, errLost
	}
	es, err := w.Shared.Read(ctx, after, limit)
	if w.forged.Load() && len(es) > 0 {
		es[0].Hash[0] ^= 1
	}
	return es, err
}

func (w *conn) Lease(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	if w.cut.Load() {
		return false, errLost
	}
	if w.silent.Load() {
		<-ctx.Done()
		return false, ctx.Err()
	}
	return w.Shared.Lease(ctx, name, holder, d)
}

func (w *conn) Watch(ctx context.Context, from nod.Seq) <-chan struct{} {
	if w.deaf {
		return nil
	}
	return w.Shared.Watch(ctx, from)
}

// sound reads the whole log, verifies it, and counts its kinds.
func sound(t *testing.T, s hub.Store) map[nod.EventKind]int {
	t.Helper()
	var seq nod.Seq
	var hash nod.Hash
	kinds := map[nod.EventKind]int{}
	for {
		es, err := s.Read(context.Background(), seq, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(es) == 0 {
			return kinds
		}
		for _, e := range es {
			if err := e.Verify(seq, hash); err != nil {
				t.Fatal(err)
			}
			seq, hash = e.Seq, e.Hash
			kinds[e.Kind]++
		}
	}
}
