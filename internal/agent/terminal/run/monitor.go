package run

import (
	"sync"
	"time"
)

// monitor follows what the program shows. It delays and changes nothing, and if it
// fails the person does not notice.
type monitor struct {
	mu        sync.Mutex
	screen    *screen
	failed    bool // the screen could not be followed
	status    Status
	changed   chan struct{} // closed and renewed when the status changes
	onQuery   func()        // called when the program asks whether its status is wanted
	lastQuery time.Time
	now       func() time.Time
}

// queryInterval is the least time between two answers. The answer looks like the
// question, so a program that echoes its input would ask for ever.
const queryInterval = time.Second

func newMonitor(rows, columns int, now func() time.Time, onQuery func()) *monitor {
	m := &monitor{changed: make(chan struct{}), onQuery: onQuery, now: now}
	m.screen = newScreen(rows, columns, m.osc)
	return m
}

// write follows a piece of output.
func (m *monitor) write(b []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failed {
		return
	}
	defer m.recoverPanic()
	m.screen.write(b)
}

// recoverPanic: a program can send anything, and no bug here may cost the person their
// session.
func (m *monitor) recoverPanic() {
	if recover() != nil {
		m.failed = true
	}
}

func (m *monitor) resize(rows, columns int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.recoverPanic()
	m.screen.resize(rows, columns)
}

// osc is called by write, which holds the lock.
func (m *monitor) osc(command int, data []byte) {
	if command != statusCommand {
		return
	}
	s, question, ok := readStatus(data, m.now())
	switch {
	case question && m.now().Sub(m.lastQuery) > queryInterval:
		m.lastQuery = m.now()
		m.onQuery()
	case question:
	case ok:
		m.status = s
		close(m.changed)
		m.changed = make(chan struct{})
	}
}

// snapshot is the screen now; ok is false if it could not be followed.
func (m *monitor) snapshot() (screen Screen, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.screen
	return Screen{Text: s.text(false), Painted: s.text(true), Rows: s.rows, Columns: s.columns, Row: s.row, Column: s.column}, !m.failed
}

// currentStatus is the status now, and a channel that is closed when it changes.
func (m *monitor) currentStatus() (Status, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status, m.changed
}

// inputModes is how the program wants its input.
func (m *monitor) inputModes() (pastes, arrows bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.failed && m.screen.modes.isSet(modePaste), m.screen.modes.isSet(modeArrows)
}

// resetSequence undoes what the program left switched on.
func (m *monitor) resetSequence() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failed {
		return ""
	}
	return m.screen.resetSequence()
}
