package hub_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// tally keeps what the writer tells of its commits.
type tally struct {
	mu  sync.Mutex
	all []hub.Commit
}

func (c *tally) add(one hub.Commit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, one)
}

func (c *tally) sum() (total hub.Commit, failed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.all {
		total.Commands += one.Commands
		total.Events += one.Events
		total.Beaten += one.Beaten
		total.Unknown += one.Unknown
		if one.Err != nil {
			failed++
		}
	}
	return total, failed
}

func TestCommitsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := hubtest.NewShared(), new(tally)
		trouble := none
		first := &conn{Shared: s, deaf: true, fault: func(int) fault { return trouble }}
		hubs := hubtest.Several(t, hub.Options{Count: c.add}, first)
		other := hubtest.Several(t, hub.Options{}, s)[0]
		ask(t, other, request("elsewhere")) // so the first hub is behind
		ask(t, hubs[0], request("here"))
		got, failed := c.sum()
		if got.Commands != 2 || got.Beaten == 0 || got.Unknown != 0 || failed != 0 || got.Events < 2 {
			t.Errorf("%+v, %d failed", got, failed)
		}
		trouble = lostAck
		ask(t, hubs[0], request("unknown"))
		if got, failed = c.sum(); got.Commands != 3 || failed != 0 {
			t.Errorf("after a lost acknowledgement: %+v, %d failed", got, failed)
		}
		time.Sleep(time.Minute) // looks at a log that is in order are no commits
		if later, _ := c.sum(); later.Commands != got.Commands {
			t.Errorf("%+v became %+v by itself", got, later)
		}
		first.cut.Store(true)
		if _, err := hubs[0].Desk(anna).Decide(t.Context(), "here", nod.Answer{Verdict: nod.VerdictAllow}); err == nil {
			t.Fatal("decided without a store")
		}
		if after, failed := c.sum(); failed == 0 || after.Unknown == 0 || after.Events != got.Events {
			t.Errorf("%+v, %d failed", after, failed)
		}
		first.cut.Store(false)
	})
}

func TestReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &conn{Shared: hubtest.NewShared()}
		h := hubtest.Several(t, hub.Options{}, w)[0]
		for _, away := range []bool{false, true, false} {
			w.cut.Store(away)
			if err := h.Ready(t.Context()); (err != nil) != away {
				t.Errorf("away %v: %v", away, err)
			}
		}
		alone := open(t, mem.New())
		if err := alone.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		if err := alone.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := alone.Ready(t.Context()); nod.CodeOf(err) != nod.Unavailable {
			t.Errorf("closed: %v", err)
		}
	})
}
