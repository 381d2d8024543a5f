package relaypeer

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
	"nod/internal/surface/relaypeer/esp32"
)

// clock is a device's, which can be put forward.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// house is a hub and a device with a real network between them.
func house(t testing.TB) (*hub.Hub, *esp32.Device, *clock) {
	t.Helper()
	h, err := hub.Open(t.Context(), mem.New(), hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	time := &clock{at: time.Now()}
	d := esp32.New(time.now)
	server := httptest.NewServer(d)
	surface := New(adapter.Deps{Deps: hub.Deps{Hub: h}}, Needs{Peers: []Peer{{Name: "desk", URL: server.URL}}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		surface.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		server.Close()
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h, d, time
}

// await is the first event that is wanted.
func await(t testing.TB, h *hub.Hub, after nod.Seq, want func(nod.Event) bool) nod.Seq {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for e, err := range h.Desk(nod.Actor{Name: "test", Rights: hubtest.All}).Follow(ctx, after) {
		if err != nil {
			t.Fatal(err)
		}
		if want(e) {
			return e.Seq
		}
	}
	t.Fatal("it did not come")
	return 0
}

func TestOverARealNetwork(t *testing.T) {
	h, d, time := house(t)
	var seq nod.Seq
	for _, id := range []string{"r1", "r2", "r3"} {
		if _, err := h.Link("test").Ask(t.Context(), request(id)); err != nil {
			t.Fatal(err)
		}
		seq = await(t, h, seq, func(e nod.Event) bool {
			return e.Kind == nod.RequestReceipt && string(e.RequestID) == id && e.Receipt.Step == nod.StepShown
		})
		time.forward(1e9)
		if hit := d.Press(esp32.A); hit != "nod:"+id {
			t.Fatalf("%q was answered", hit)
		}
		seq = await(t, h, seq, func(e nod.Event) bool {
			return e.Kind == nod.RequestDecided && string(e.RequestID) == id && e.Decision.Verdict == nod.VerdictAllow && e.Decision.By == "desk"
		})
	}
}

// BenchmarkShown is from the question to the device's screen.
func BenchmarkShown(b *testing.B) {
	h, _, _ := house(b)
	anna := h.Desk(nod.Actor{Name: "anna", Rights: hubtest.All})
	var seq nod.Seq
	i := 0
	for b.Loop() {
		i++
		id := nod.RequestID("r" + keyOf(i))
		if _, err := h.Link("test").Ask(b.Context(), request(string(id))); err != nil {
			b.Fatal(err)
		}
		seq = await(b, h, seq, func(e nod.Event) bool { return e.Kind == nod.RequestReceipt && e.RequestID == id })
		b.StopTimer()
		if _, err := anna.Decide(b.Context(), id, nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
