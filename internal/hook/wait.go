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
	"syscall"
	"time"

	"nod/internal/agent/claude/wire"
)

// wait is a hook that waits for a person.
type wait struct {
	hub      *endpoint // with the id of the request in its headers
	ask      string    // that id
	payload  []byte
	stdout   io.Writer
	terminal *terminal
}

// How long a hook looks for a hub that went away while it waited: long where
// the dialog is open beside it, short where the hook keeps the dialog from
// opening.
const (
	seekBeside = 10 * time.Minute
	seekHidden = 15 * time.Second
	seekEvery  = 200 * time.Millisecond
	firstLine  = 3 * time.Second
	asideSoon  = 100 * time.Millisecond // a hub of an older release that gives up a request ends this soon after we ask again
)

// outcome is how a wait ends: with output for Claude Code, or closed in the
// terminal, or with nothing at all.
type outcome struct {
	output []byte
	closed string // what a report about it says as its status
}

func newWait(env Env, hub *endpoint, e event, payload []byte) *wait {
	var id [10]byte
	_, _ = rand.Read(id[:]) // never fails
	ask := hex.EncodeToString(id[:])
	t := &terminal{status: statusFile(env.Getenv), session: e.Session}
	switch {
	case e.Subagent != "" || env.Getenv("CLAUDE_CODE_ENTRYPOINT") == wire.HeadlessEntry:
		t.dialog = noDialog
	case e.Name == wire.Elicitation:
		t.dialog = dialogAfter
	}
	return &wait{hub: hub.with(wire.HeaderAsk, ask), ask: ask, payload: payload, stdout: env.Stdout, terminal: t}
}

func (w *wait) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	ends := make(chan outcome, 3)
	go func() { ends <- w.seekDecision(ctx) }()
	go w.terminal.watch(ctx, ends)
	var end outcome
	select {
	case end = <-ends:
	case <-signals:
		end = outcome{closed: wire.BySignal}
	}
	cancel()
	w.finish(end)
}

// finish gives Claude Code the decision and reports to the hub.
func (w *wait) finish(end outcome) {
	switch {
	case end.closed != "":
		w.hub.report(w.ask, wire.HookReport{Event: wire.Closed, Status: end.closed})
	case end.output == nil:
	case wire.Interrupts(end.output) && w.terminal.closed():
		// The terminal was first. A late stop would end a turn that its person
		// has allowed to go on.
		w.hub.report(w.ask, wire.HookReport{Event: wire.Closed, Status: wire.StatusBusy})
	default:
		if _, err := w.stdout.Write(end.output); err == nil {
			w.hub.report(w.ask, wire.HookReport{Event: wire.Delivered})
		}
	}
}

// seekDecision asks the hub, and asks again if it goes away meanwhile. If it is
// not there the first time, the terminal decides.
func (w *wait) seekDecision(ctx context.Context) outcome {
	patience := seekBeside
	if w.terminal.dialog != dialogBeside {
		patience = seekHidden
	}
	var away time.Time
	hub := w.hub
	for first := true; ; first = false {
		output, answered, err := w.askOnce(ctx, hub, first)
		if err == nil {
			return outcome{output: output}
		}
		if first && !errors.Is(err, errBroke) || errors.Is(err, errRefused) || ctx.Err() != nil {
			w.hub.noteDown()
			return outcome{}
		}
		hub = w.hub.with(wire.HeaderAgain, "1")
		if answered || away.IsZero() {
			away = time.Now() // it was there until now; a hub that takes requests and sends no line is not
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

// askOnce keeps one connection open until the hub's last line. answered says
// whether there was any line.
func (w *wait) askOnce(ctx context.Context, hub *endpoint, first bool) (output []byte, answered bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The hub's first line comes at once, when it has stored the request; after
	// that its heartbeat tells a slow person from a hub that hangs.
	silence := time.AfterFunc(firstLine, cancel)
	defer silence.Stop()
	res, err := hub.post(ctx, "", w.payload)
	if err != nil {
		if connected(err) {
			err = errBroke
		}
		return nil, false, err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNoContent:
		return nil, false, nil
	case res.StatusCode >= http.StatusBadGateway && res.StatusCode <= http.StatusGatewayTimeout:
		return nil, false, errNoHub // a load balancer without a hub, or a hub without its database
	case res.StatusCode != http.StatusOK:
		return nil, false, errRefused
	}
	began := time.Now()
	output, err = lastLine(res.Body, func() {
		answered = true
		silence.Reset(wire.SilenceSeconds * time.Second)
	})
	if err == nil && output == nil && hub.remote && (first || time.Since(began) > asideSoon) {
		// Some load balancers end a broken response as if it were whole. A hub that
		// gave the request up says so when it is asked again.
		err = errBroke
	}
	return output, answered, err
}

// connected reports whether the request had reached a hub before it failed: an
// end of file is a hub that went away, anything else is no hub.
func connected(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, context.Canceled)
}

// lastLine reads heartbeats until the decision. A response that ends without one
// means that the hub gave the request up; a broken connection does not.
func lastLine(body io.Reader, heartbeat func()) ([]byte, error) {
	in := bufio.NewReader(body)
	for {
		line, err := in.ReadBytes('\n')
		heartbeat()
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
