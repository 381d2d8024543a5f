package notify

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"nod"
)

// sharedMemory is what hubs share, without a database.
type sharedMemory struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (d *sharedMemory) Keep(_ context.Context, name string, body []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept == nil {
		d.kept = map[string][]byte{}
	}
	d.kept[name] = body
	return nil
}

func (d *sharedMemory) Kept(_ context.Context, name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept[name], nil
}

// another is a second hub beside that of the rig; it is not the leader.
func (g *rig) another() *rig {
	g.Helper()
	other := *g
	other.surface = g.newSurface()
	other.web = g.Serve(other.surface.Routes()...)
	return &other
}

func TestLinkWorksAtEveryHub(t *testing.T) {
	inBubble(t, func(g *rig) { g.shared = &sharedMemory{} }, func(g *rig) {
		phoned(g)
		allow, other := g.phone.path(nod.VerdictAllow), g.another()
		if w := other.send("GET", allow, browser); w.Code != 200 {
			t.Errorf("looked at elsewhere: %d %s", w.Code, w.Body)
		}
		if w := other.send("GET", allow[:len(allow)-3]+"AAA", browser); w.Code == 200 {
			t.Errorf("a wrong one: %d %s", w.Code, w.Body)
		}
		var all sync.WaitGroup
		codes := make([]int, 8)
		for i := range codes {
			at := []http.Handler{g.web, other.web}[i%2]
			all.Go(func() {
				r := httptest.NewRequestWithContext(g.Context(), "POST", allow, nil)
				r.RemoteAddr = "10.0.0.7:4711"
				w := httptest.NewRecorder()
				at.ServeHTTP(w, r)
				codes[i] = w.Code
			})
		}
		all.Wait()
		won := 0
		for _, code := range codes {
			if code == 200 {
				won++
			}
		}
		if r := g.status("r1"); won != 1 || r.Decision == nil || r.Decision.By != "anna" {
			t.Errorf("pressed at both at once: %v, %+v", codes, r.Decision)
		}
	})
}

// A hub that becomes the leader knows what the one before it sent, and forgets what it
// knew itself earlier.
func TestNewLeaderKnowsWhatWasSent(t *testing.T) {
	inBubble(t, func(g *rig) { g.shared = &sharedMemory{} }, func(g *rig) {
		g.ask("r1", "garden")
		g.desk.got()
		g.Stop()
		other := g.another()
		g.Run(other.surface.Run)
		pass(10 * time.Second)
		g.wants("by the next hub", g.desk.got(), "")
		g.decide("r1", nod.VerdictAllow)
		g.wants("taken back by the next hub", g.desk.got(), "-Allowed by carol (api)")
		g.Stop()
		g.Run(g.surface.Run)
		pass(10 * time.Second)
		g.wants("by the first again", g.desk.got(), "")
	})
}
