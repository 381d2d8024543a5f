package hook

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"nod/internal/agent/claude/wire"
)

// terminal is what a waiting hook knows about the session that started it.
type terminal struct {
	status  string // the session's status file, or empty
	session string
	dialog  dialog
	opened  atomic.Bool // the terminal's dialog has been seen
}

// dialog is what the terminal shows while the hook waits.
type dialog int

const (
	dialogBeside dialog = iota // the same question; its answer shows in the status file
	dialogAfter                // nothing until this hook ends; only giving up shows
	noDialog                   // nothing that could be answered there
)

// pollEvery is how often the status file is read: often enough that no device
// shows a stale request. Only what it says twice in a row counts.
const pollEvery = 100 * time.Millisecond

// watch ends the wait when its answer is of no use any more: the session's status
// says so, or the process that started the hook is gone.
func (t *terminal) watch(ctx context.Context, ends chan<- outcome) {
	parent := os.Getppid()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	// The terminal's dialog opens a moment after the hook has started, so "waiting"
	// must be seen before leaving it means anything. Without a dialog the session
	// is busy from the start, and only turns idle when its person gave up.
	gone := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if os.Getppid() != parent {
			ends <- outcome{closed: wire.ByDeath}
			return
		}
		s, ok := t.read()
		switch {
		case !ok:
		case s.State == wire.StatusWaiting:
			t.opened.Store(t.dialog == dialogBeside)
			gone = 0
		case t.dialog == dialogAfter && s.State != wire.StatusIdle:
			gone = 0
		case t.dialog == dialogAfter || t.opened.Load():
			if gone++; gone == 2 {
				ends <- outcome{closed: s.State}
				return
			}
		}
	}
}

// closed reports whether the dialog is known to be gone: it was there, and now it
// is not. A quick answer comes before it has opened at all.
func (t *terminal) closed() bool {
	s, ok := t.read()
	return ok && t.opened.Load() && s.State != wire.StatusWaiting
}

// read returns the session's status where it says something about this wait.
func (t *terminal) read() (wire.Status, bool) {
	if t.status == "" || t.dialog == noDialog {
		return wire.Status{}, false
	}
	s, ok := wire.ReadStatus(t.status)
	return s, ok && s.Session == t.session
}
