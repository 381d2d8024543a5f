package homeassistant

import (
	"context"
	"encoding/json"
	"sync"

	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
)

// handle is how the parts of a device reach their satellite.
type handle struct {
	surface *Surface

	mu  sync.Mutex
	one satellite
}

func (h *handle) satellite() satellite {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.one
}

func (h *handle) setSatellite(one satellite) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.one = one
}

func (h *handle) call(ctx context.Context, a hass.Action) (json.RawMessage, error) {
	return h.surface.client.Call(ctx, a)
}

// record is what is kept of the satellite across restarts.
func (h *handle) record() record { return h.surface.records.of(h.satellite().id) }

func (h *handle) changeRecord(f func(*record)) { h.surface.records.change(h.satellite().id, f) }

// warn logs that something at the satellite failed.
func (h *handle) warn(what string, err error) {
	h.surface.Log.Warn(what, "satellite", h.satellite().id, "err", err)
}

// attendant is the puck that attends a satellite, while it does.
type attendant struct {
	dialCheck chan struct{} // something changed: check the dial
	micCheck  chan struct{} // the same: check the microphone

	mu       sync.Mutex
	puck     *attend.Puck       // nil: requests cannot be asked here now
	endGrace context.CancelFunc // the connection is back; nil: it was not lost
	endPuck  context.CancelFunc
	ended    chan struct{} // closed when the puck before has ended
}

// kept ends the grace of a lost connection, and reports whether the puck still runs.
func (a *attendant) kept() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.endGrace != nil {
		a.endGrace()
		a.endGrace = nil
	}
	return a.puck != nil
}

// begin takes a new puck. before is closed when the last one has ended; nil: there
// was none.
func (a *attendant) begin(p *attend.Puck, end context.CancelFunc, ended chan struct{}) (before <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before = a.ended
	a.puck, a.endPuck, a.ended = p, end, ended
	return before
}

// lost begins the grace of a lost connection, which ends with ctx; nil: there is
// nothing to end, or it has begun.
func (a *attendant) lost() (ctx context.Context, cancel context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.puck == nil || a.endGrace != nil {
		return nil, nil
	}
	ctx, a.endGrace = context.WithCancel(context.Background())
	return ctx, a.endGrace
}

// leave ends the puck.
func (a *attendant) leave() {
	a.mu.Lock()
	end := a.endPuck
	a.puck, a.endPuck = nil, nil
	a.mu.Unlock()
	if end != nil {
		end()
	}
}

// forget notes that a puck has ended by itself.
func (a *attendant) forget(p *attend.Puck) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.puck == p {
		a.puck, a.endPuck = nil, nil
	}
}

// running is the puck, or nil.
func (a *attendant) running() *attend.Puck {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.puck
}

// memory is that of the puck's state machine; one that does not run is idle.
func (a *attendant) memory() puck.Memory {
	p := a.running()
	if p == nil {
		return puck.Memory{State: puck.Idle}
	}
	return p.Memory()
}

// waitsFor reports whether what was asked is still what is asked.
func (a *attendant) waitsFor(ask attend.Ask) bool {
	m := a.memory()
	if ask.Kind == attend.AskFree {
		return m.At() == puck.Idle
	}
	return asked(m.At()) && m.Request == ask.Request
}

// asked reports whether a person is expected to turn or press.
func asked(s puck.State) bool {
	switch s {
	case puck.Waiting, puck.PreviewApprove, puck.PreviewReject, puck.MultipleChoice:
		return true
	}
	return false
}

// changed has dial and microphone checked.
func (a *attendant) changed() {
	notify(a.dialCheck)
	notify(a.micCheck)
}
