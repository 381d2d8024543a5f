package run

import (
	"sync"
	"time"
)

// monitor reads along what the program shows. It holds nothing back and changes
// nothing; if it stumbles the person does not notice.
type monitor struct {
	mu        sync.Mutex
	screen    *screen
	failed    bool // the model has failed
	status    Status
	changed   chan struct{} // closed and renewed when the status changes
	onQuery   func()        // the program asks whether its status is wanted
	lastQuery time.Time     // when it last did
	now       func() time.Time
}

// queryInterval is how soon the same question is not answered again: the answer looks
// like the question, and a program that shows what it is told would never end.
const queryInterval = time.Second

func newMonitor(rows, columns int, now func() time.Time, answer func()) *monitor {
	t := &monitor{changed: make(chan struct{}), onQuery: answer, now: now}
	t.screen = newScreen(rows, columns, t.osc)
	return t
}

// write follows what was shown.
func (t *monitor) write(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed {
		return
	}
	defer t.recoverPanic()
	t.screen.write(b)
}

// recoverPanic: a program can send anything, and no bug here may cost the person
// their session.
func (t *monitor) recoverPanic() {
	if recover() != nil {
		t.failed = true
	}
}

func (t *monitor) resize(rows, columns int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.recoverPanic()
	t.screen.resize(rows, columns)
}

// osc is called by read, which has the lock.
func (t *monitor) osc(command int, data []byte) {
	if command != statusCommand {
		return
	}
	s, question, ok := readStatus(data, t.now())
	switch {
	case question && t.now().Sub(t.lastQuery) > queryInterval:
		t.lastQuery = t.now()
		t.onQuery()
	case question:
	case ok:
		t.status = s
		close(t.changed)
		t.changed = make(chan struct{})
	}
}

// snapshot is the screen now.
func (t *monitor) snapshot() (Screen, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.screen
	return Screen{Text: s.text(false), Painted: s.text(true), Rows: s.rows, Columns: s.columns, Row: s.row, Column: s.column}, !t.failed
}

// currentStatus is the status now, and a channel that is closed when it changes.
func (t *monitor) currentStatus() (Status, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status, t.changed
}

// inputModes tells how the program wants to be typed to.
func (t *monitor) inputModes() (pastes, arrows bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.failed && t.screen.modes.isSet(modePaste), t.screen.modes.isSet(modeArrows)
}

func (t *monitor) resetSequence() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed {
		return ""
	}
	return t.screen.resetSequence()
}
