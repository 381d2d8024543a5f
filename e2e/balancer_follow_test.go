//go:build full

package e2e

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// follower reads the log through the balancer, and reconnects when it is cut off.
type follower struct {
	mu   sync.Mutex
	seen map[nod.LeaseID]nod.Seq
	cuts int
	gap  error
}

func follow(t *testing.T, c *client.Client) *follower {
	t.Helper()
	f := &follower{seen: map[nod.LeaseID]nod.Seq{}}
	ctx, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() {
		end()
		<-done
		if f.gap != nil {
			t.Error(f.gap)
		}
	})
	go func() {
		defer close(done)
		for after := nod.Seq(0); ctx.Err() == nil; {
			for e, err := range c.Follow(ctx, after) {
				if err != nil {
					f.cut(err)
					break
				}
				f.take(e, after)
				after = e.Seq
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return f
}

func (f *follower) take(e nod.Event, after nod.Seq) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.Seq != after+1 {
		f.gap = fmt.Errorf("event %d came after %d", e.Seq, after)
	}
	if e.Kind == nod.LeaseGranted {
		f.seen[e.Lease.ID] = e.Seq
	}
}

func (f *follower) cut(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cuts++
	if code := nod.CodeOf(err); code == nod.Gone {
		f.gap = err
	}
}

func (f *follower) ends() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cuts
}

// grant adds a few facts through the balancer, whichever hubs they reach, and
// waits until all of them have been followed.
func (f *follower) grant(t *testing.T, c *client.Client) (last nod.Seq) {
	t.Helper()
	for range 4 {
		l, err := c.Grant(t.Context(), v1.NewLease{Rules: []string{"Bash(ls:*)"}, Minutes: 10, Folder: "/srv"})
		if err != nil {
			t.Fatal(err)
		}
		rig.Until(t, "the lease was followed", func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			last = f.seen[l.ID]
			return last > 0
		}, func() string { return string(l.ID) })
	}
	return last
}
