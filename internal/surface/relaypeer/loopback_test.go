package relaypeer

import (
	"iter"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/relaypeer/esp32"
)

// clock is that of a device, which can be put forward.
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

// overNetwork is a hub and a device with a real network between them.
func overNetwork(t testing.TB) (*hubtest.Rig, *esp32.Device, *clock) {
	t.Helper()
	time := &clock{at: time.Now()}
	d := esp32.New(time.now)
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	g := hubtest.New(t, hubtest.Options{})
	g.Run(New(adapter.Deps{Deps: g.Deps()}, Needs{Peers: []Peer{{Name: "desk", URL: server.URL}}}).Run)
	return g, d, time
}

func TestOverARealNetwork(t *testing.T) {
	g, d, time := overNetwork(t)
	for _, id := range []string{"r1", "r2", "r3"} {
		g.Ask(request(id))
		g.Await(func(e *nod.Event) bool {
			return e.Kind == nod.RequestReceipt && string(e.RequestID) == id && e.Receipt.Step == nod.StepShown
		})
		time.forward(1e9)
		if hit := d.Press(esp32.A); hit != "nod:"+id {
			t.Fatalf("%q was answered", hit)
		}
		g.Await(func(e *nod.Event) bool {
			return e.Kind == nod.RequestDecided && string(e.RequestID) == id && e.Decision.Verdict == nod.VerdictAllow && e.Decision.By == "desk"
		})
	}
}

// BenchmarkShown is from the question to the device's screen.
func BenchmarkShown(b *testing.B) {
	g, _, _ := overNetwork(b)
	next, stop := iter.Pull2(g.Link.Follow(b.Context(), 0))
	defer stop()
	i := 0
	for b.Loop() {
		i++
		id := nod.RequestID("r" + keyOf(i))
		g.Ask(request(string(id)))
		for e, err, ok := next(); e.Kind != nod.RequestReceipt || e.RequestID != id; e, err, ok = next() {
			if err != nil || !ok {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		g.Decide(id, nod.VerdictDeny)
		b.StartTimer()
	}
}
