package run

import (
	"sync"
	"time"
)

// tap reads along what the program shows. It holds nothing back and changes
// nothing; if it stumbles the person does not notice.
type tap struct {
	mu      sync.Mutex
	screen  *screen
	blind   bool // the model has failed
	status  Status
	changed chan struct{} // closed and renewed when the status changes
	answer  func()        // the program asks whether its status is wanted
	asked   time.Time     // when it last did
	now     func() time.Time
}

// restful is how soon the same question is not answered again: the answer looks
// like the question, and a program that shows what it is told would never end.
const restful = time.Second

func newTap(rows, columns int, now func() time.Time, answer func()) *tap {
	t := &tap{changed: make(chan struct{}), answer: answer, now: now}
	t.screen = newScreen(rows, columns, t.osc)
	return t
}

// read follows what was shown.
func (t *tap) read(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blind {
		return
	}
	defer t.stumble()
	t.screen.write(b)
}

// stumble: a program can send anything, and no bug here may cost the person
// their session.
func (t *tap) stumble() {
	if recover() != nil {
		t.blind = true
	}
}

func (t *tap) resize(rows, columns int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.stumble()
	t.screen.resize(rows, columns)
}

// osc is called by read, which has the lock.
func (t *tap) osc(command int, data []byte) {
	if command != statusCommand {
		return
	}
	s, question, ok := readStatus(data, t.now())
	switch {
	case question && t.now().Sub(t.asked) > restful:
		t.asked = t.now()
		t.answer()
	case question:
	case ok:
		t.status = s
		close(t.changed)
		t.changed = make(chan struct{})
	}
}

// look is the screen now.
func (t *tap) look() (Screen, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.screen
	return Screen{Text: s.text(false), Painted: s.text(true), Rows: s.rows, Columns: s.columns, Row: s.row, Column: s.column}, !t.blind
}

// hear is the status now, and a channel that is closed when it changes.
func (t *tap) hear() (Status, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status, t.changed
}

// keys tells how the program wants to be typed to.
func (t *tap) keys() (pastes, arrows bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.blind && t.screen.modes.set(modePaste), t.screen.modes.set(modeArrows)
}

func (t *tap) leftovers() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blind {
		return ""
	}
	return t.screen.leftovers()
}
