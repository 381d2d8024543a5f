package hub_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// balancer is what stands before several hubs: it knows which are there, and
// gives everybody any of them.
type balancer struct {
	store *hubtest.Shared
	mu    sync.Mutex
	hubs  []*hub.Hub
	turn  int
}

func (b *balancer) pick() *hub.Hub {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	return b.hubs[b.turn%len(b.hubs)]
}

// renew takes a hub out, ends it, and puts its successor in.
func (b *balancer) renew(t *testing.T, i int) {
	b.mu.Lock()
	old := b.hubs[i]
	b.mu.Unlock()
	if err := old.Close(context.Background()); err != nil {
		t.Error(err)
	}
	h, err := hub.Open(context.Background(), &conn{Shared: b.store, deaf: i == 0}, hub.Options{Name: fmt.Sprint("hub", i)})
	if err != nil {
		t.Error(err)
		return
	}
	b.mu.Lock()
	b.hubs[i] = h
	b.mu.Unlock()
}

// again does something at one hub after the other until one of them can.
func (b *balancer) again(f func(h *hub.Hub) error) error {
	for range 100 {
		err := f(b.pick())
		if nod.CodeOf(err) != nod.Unavailable || err == nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("no hub took it")
}

// Every hub is restarted, one after the other and several times,
// while hooks ask, wait and come back, and people answer: each hook gets its
// answer, and each answer is there once.
func TestRollingRestartLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &balancer{store: hubtest.NewShared(), hubs: make([]*hub.Hub, 3)}
		b.hubs = hubtest.Several(t, hub.Options{}, b.store, b.store, b.store)
		var wg sync.WaitGroup
		for hook := range 20 {
			wg.Go(func() {
				for n := range 10 {
					id := nod.RequestID(fmt.Sprintf("r%d-%d", hook, n))
					raised := make(chan struct{})
					wg.Go(func() {
						<-raised
						time.Sleep(time.Duration(hook*37%100) * time.Millisecond)
						err := b.again(func(h *hub.Hub) error {
							_, err := h.Desk(anna).Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow})
							return err
						})
						if err != nil {
							t.Errorf("%s: %v", id, err)
						}
					})
					told := sync.OnceFunc(func() { close(raised) })
					err := b.again(func(h *hub.Hub) error { // as a hook does: the same id again
						if _, err := h.Link("test").Ask(t.Context(), request(string(id))); err != nil {
							return err
						}
						told()
						r, err := h.Link("test").Await(t.Context(), id)
						if err == nil && (r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow) {
							err = fmt.Errorf("released with %+v", r)
						}
						return err
					})
					if err != nil {
						t.Errorf("%s: %v", id, err)
					}
				}
			})
		}
		for round := range 9 {
			time.Sleep(100 * time.Millisecond)
			b.renew(t, round%3)
		}
		wg.Wait()
		for i := range b.hubs {
			b.mu.Lock()
			h := b.hubs[i]
			b.mu.Unlock()
			_ = h.Close(context.Background())
		}
		kinds := sound(t, b.store)
		if kinds[nod.RequestRaised] != 200 || kinds[nod.RequestDecided] != 200 {
			t.Errorf("%v", kinds)
		}
		for id, n := range decisions(t, b.store) {
			if n != 1 {
				t.Errorf("%s was decided %d times", id, n)
			}
		}
	})
}
