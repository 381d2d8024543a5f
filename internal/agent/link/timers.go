package link

import (
	"sync"
	"time"
)

// timers run functions later, one at a time and one for each key, until they are
// closed.
type timers struct {
	mu     sync.Mutex
	closed bool
	of     map[string]*time.Timer
}

// set starts the timer of a key, or starts it again.
func (t *timers) set(key string, after time.Duration, do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(key)
	if t.closed {
		return
	}
	if t.of == nil {
		t.of = map[string]*time.Timer{}
	}
	var own *time.Timer
	own = time.AfterFunc(after, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.of[key] == own { // it was not set again in this very moment
			delete(t.of, key)
			do()
		}
	})
	t.of[key] = own
}

// stop ends the timer of a key and calls do, while no timer runs.
func (t *timers) stop(key string, do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(key)
	do()
}

// close ends all timers, and waits for one that runs.
func (t *timers) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for key := range t.of {
		t.drop(key)
	}
}

// drop forgets a timer; the lock is held.
func (t *timers) drop(key string) {
	if old := t.of[key]; old != nil {
		old.Stop()
		delete(t.of, key)
	}
}
