// Package timers runs functions later, as time.AfterFunc does, but not beyond the end of
// whatever set them: a timer that fires after its hub was closed finds nothing to work with.
package timers

import (
	"sync"
	"time"
)

// Group is the timers of one worker. Its zero value is ready to use.
type Group struct {
	mu      sync.Mutex
	closed  bool
	pending map[*timer]struct{}
	running sync.WaitGroup
}

type timer struct{ *time.Timer }

// After calls f in its own goroutine when d has passed, unless the group is closed
// by then. f may set further timers.
func (g *Group) After(d time.Duration, f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	if g.pending == nil {
		g.pending = map[*timer]struct{}{}
	}
	own := &timer{}
	own.Timer = time.AfterFunc(d, func() {
		if g.begin(own) {
			defer g.running.Done()
			f()
		}
	})
	g.pending[own] = struct{}{}
}

// begin reports whether a timer that fired may run.
func (g *Group) begin(own *timer) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pending, own)
	if !g.closed {
		g.running.Add(1)
	}
	return !g.closed
}

// Close stops all timers and waits for the functions that run. No timer can be set
// after it.
func (g *Group) Close() {
	g.mu.Lock()
	g.closed = true
	for t := range g.pending {
		t.Stop()
	}
	clear(g.pending)
	g.mu.Unlock()
	g.running.Wait()
}
