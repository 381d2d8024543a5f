package hook

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"nod/internal/agent/claude/wire"
)

// wait is a hook that waits for a person.
type wait struct {
	door    *endpoint
	payload []byte
	stdout  io.Writer
	status  string // the session's status file, or empty
	session string
	dialog  dialog
	ask     string
	opened  atomic.Bool // the dialog beside us has been seen
	heard   atomic.Bool // the hub has said something since it was asked the last time
}

// dialog is what the terminal shows while the hook waits.
type dialog int

const (
	dialogBeside dialog = iota // the same question; its answer shows in the status file
	dialogAfter                // nothing until this hook ends; only giving up shows
	noDialog                   // nothing that could be answered there
)

// How long a hook looks for a hub that went away while it waited: long where
// the dialog is open beside it, short where it hides the dialog.
const (
	seekBeside = 10 * time.Minute
	seekHidden = 15 * time.Second
	seekEvery  = 200 * time.Millisecond
	firstLine  = 3 * time.Second
	asideSoon  = 100 * time.Millisecond // an end that comes as soon as we ask again is a hub's own, of an older release
)

// outcome is how a wait ends: with words for Claude Code, or closed in the
// terminal, or with nothing at all.
type outcome struct {
	output  []byte
	confirm func() // tells the hub that Claude Code has the words
	closed  string
}

func (w *wait) run() {
	var id [10]byte
	_, _ = rand.Read(id[:]) // never fails
	w.ask = hex.EncodeToString(id[:])
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	ends := make(chan outcome, 3)
	go func() { ends <- w.seekDecision(ctx) }()
	go w.watch(ctx, ends)
	var end outcome
	select {
	case end = <-ends:
	case <-signals:
		end = outcome{closed: wire.BySignal}
	}
	cancel()
	w.finish(end)
}

// finish says the last word: to Claude Code, or to the hub.
func (w *wait) finish(end outcome) {
	switch {
	case end.closed != "":
		w.door.say(w.ask, wire.HookReport{Event: wire.Closed, Status: end.closed})
	case end.output != nil:
		if wire.Interrupts(end.output) && w.closedMeanwhile() {
			// The terminal was first. A late stop would end a turn that its person
			// has allowed to go on.
			w.door.say(w.ask, wire.HookReport{Event: wire.Closed, Status: wire.StatusBusy})
			return
		}
		if _, err := w.stdout.Write(end.output); err == nil {
			end.confirm()
		}
	}
}

// closedMeanwhile reports whether the dialog is known to be gone: it was there,
// and now it is not. A quick answer comes before it has opened at all.
func (w *wait) closedMeanwhile() bool {
	s, ok := w.look()
	return ok && w.opened.Load() && s.State != wire.StatusWaiting
}

// seekDecision asks the hub, again and again if it goes away meanwhile; the
// first time it is not there at all, the terminal decides.
func (w *wait) seekDecision(ctx context.Context) outcome {
	patience := seekBeside
	if w.dialog != dialogBeside {
		patience = seekHidden
	}
	var away time.Time
	door := w.door
	for first := true; ; first = false {
		end, err := w.askOnce(ctx, door)
		if err == nil {
			return end
		}
		if first && !errors.Is(err, errBroke) || errors.Is(err, errRefused) || ctx.Err() != nil {
			w.door.noteDown()
			return outcome{}
		}
		if door = w.door.again(); w.heard.Swap(false) || away.IsZero() {
			away = time.Now() // it was there until now; one that takes questions and says nothing is not
		}
		if time.Since(away) > patience {
			return outcome{}
		}
		select {
		case <-ctx.Done():
			return outcome{}
		case <-time.After(seekEvery):
		}
	}
}

var (
	errBroke   = errors.New("the hub went away while we waited")
	errRefused = errors.New("the hub will not take this request")
)

// askOnce holds one connection until the hub's last line.
func (w *wait) askOnce(ctx context.Context, door *endpoint) (outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The hub's first line comes at once, when it has stored the request; after
	// that its heartbeat is what tells a slow person from a hung hub.
	silence := time.AfterFunc(firstLine, cancel)
	defer silence.Stop()
	res, err := door.post(ctx, "", w.payload, w.ask)
	if err != nil {
		if connected(err) {
			return outcome{}, errBroke
		}
		return outcome{}, err
	}
	switch {
	case res.StatusCode == http.StatusNoContent:
		return outcome{}, res.Body.Close()
	case res.StatusCode >= http.StatusBadGateway && res.StatusCode <= http.StatusGatewayTimeout:
		_ = res.Body.Close()
		return outcome{}, errNoHub // a load balancer without a hub, or a hub without its database
	case res.StatusCode != http.StatusOK:
		_ = res.Body.Close()
		return outcome{}, errRefused
	}
	began := time.Now()
	output, err := lastLine(res.Body, func() {
		w.heard.Store(true)
		silence.Reset(wire.SilenceSeconds * time.Second)
	})
	if err == nil && output == nil && door.socket == "" && (door == w.door || time.Since(began) > asideSoon) {
		// Some load balancers end what broke as if it were whole. A hub that stepped
		// aside says so when it is asked again.
		err = errBroke
	}
	if err != nil || output == nil {
		_ = res.Body.Close()
		return outcome{}, err
	}
	return outcome{output: output, confirm: w.confirmer(res.Body)}, nil
}

// confirmer says Delivered: on the connection itself where the hub is on this
// machine, which costs nothing, and with a call of its own elsewhere.
func (w *wait) confirmer(body io.ReadCloser) func() {
	if held, ok := body.(*heldBody); ok {
		held.stop() // the end of the wait must not close it now
		return func() {
			_, _ = held.conn.Write([]byte{wire.DeliveredMark})
			_ = held.conn.Close()
		}
	}
	_ = body.Close()
	return func() { w.door.say(w.ask, wire.HookReport{Event: wire.Delivered}) }
}

// connected reports whether the request had reached a hub before it failed: an
// end of file is a hub that went away, anything else is no hub.
func connected(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, context.Canceled)
}

// lastLine reads heartbeats until the decision. An end without one is the hub
// stepping aside; a broken connection is not.
func lastLine(body io.Reader, beat func()) ([]byte, error) {
	in := bufio.NewReader(body)
	for {
		line, err := in.ReadBytes('\n')
		beat()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return append(line, '\n'), nil
		}
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return nil, errBroke
		}
	}
}

// How the status file is watched: often enough that no device shows a stale
// request, and sure only when it says the same twice.
const lookEvery = 100 * time.Millisecond

// watch ends the wait when nobody waits for this hook any more: the session's
// status says so, or the process that started the hook is gone.
func (w *wait) watch(ctx context.Context, ends chan<- outcome) {
	parent := os.Getppid()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	// A dialog beside us opens a moment after the hook has started, so "waiting"
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
		s, ok := w.look()
		switch {
		case !ok:
		case s.State == wire.StatusWaiting:
			w.opened.Store(w.dialog == dialogBeside)
			gone = 0
		case w.dialog == dialogAfter && s.State != wire.StatusIdle:
			gone = 0
		case w.dialog == dialogAfter || w.opened.Load():
			if gone++; gone == 2 {
				ends <- outcome{closed: s.State}
				return
			}
		}
	}
}

// look reads the session's status where it says something about this wait.
func (w *wait) look() (wire.Status, bool) {
	if w.status == "" || w.dialog == noDialog {
		return wire.Status{}, false
	}
	s, ok := wire.ReadStatus(w.status)
	return s, ok && s.Session == w.session
}
