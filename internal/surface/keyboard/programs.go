package keyboard

import (
	"sync"
	"time"

	"nod"
)

// customTime is how long buttons that a program set are shown at most.
const customTime = 15 * time.Minute

// programs is what hooks, daemons and agents have set by the original's wire.
type programs struct {
	now func() time.Time

	mu     sync.Mutex
	hooks  hookState
	custom *buttons                  // nil: none
	heard  map[nod.AgentID]time.Time // when a key last said something to an agent
}

// hookState is what hooks of the original say about an agent that the hub does
// not know.
type hookState struct {
	state string
	until time.Time
}

// set puts buttons on the keys; nil takes them away.
func (p *programs) set(b *buttons) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.custom = b
}

// buttons are those that were set, even if their time is over; nil: none.
func (p *programs) buttons() *buttons {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.custom
}

// current is what counts now.
func (p *programs) current() (hookState, *buttons) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.custom != nil && p.now().Sub(p.custom.at) > customTime {
		p.custom = nil
	}
	return p.hooks, p.custom
}

// answered ends what an agent set for itself before.
func (p *programs) answered(id nod.AgentID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard[id] = p.now()
}

// counts reports whether what an agent set at a time still counts.
func (p *programs) counts(id nod.AgentID, at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return at.After(p.heard[id]) && p.now().Sub(at) <= customTime
}

// report notes the state that a hook says. Unknown states change nothing.
func (p *programs) report(state string, seconds float64) {
	const most = 8 * 24 * 3600.0
	p.mu.Lock()
	defer p.mu.Unlock()
	switch state {
	case stateIdle, stateThinking, stateError, stateLimit:
		p.hooks = hookState{state: state}
	}
	if state == stateLimit && seconds > 0 {
		p.hooks.until = p.now().Add(time.Duration(min(seconds, most) * float64(time.Second)))
	}
}
