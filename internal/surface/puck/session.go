package puck

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

const (
	via       = "puck"
	holdTime  = time.Second
	tapTime   = 400 * time.Millisecond
	pingEvery = 20 * time.Second
	writeTime = 5 * time.Second
	keepNotes = 32
	longest   = 2000 // of what a person says, in runes
)

// session is one page with one puck. It is the puck's device.
type session struct {
	*Surface
	conn   *websocket.Conn
	hello  *Hello
	by     nod.Actor
	say    words.Printer
	puck   *attend.Puck
	out    chan Note
	done   <-chan struct{} // closed when notes are not sent any more
	said   atomic.Int64    // the number of what was said last
	heard  atomic.Int64    // the page has spoken everything up to here
	spoken chan struct{}
}

func newSession(s *Surface, conn *websocket.Conn, h *Hello, by nod.Actor) *session {
	by.Via = via
	n := &session{Surface: s, conn: conn, hello: h, by: by, say: h.printer(), out: make(chan Note, keepNotes), spoken: make(chan struct{}, 1)}
	n.puck = attend.New(attend.Options{
		Deps: s.Deps.Deps, By: by, Asker: s.asker, Assistant: s.Assistant, Device: n, Language: h.Language, Via: via,
		Taught: h.Taught, OnTaught: func() { _ = n.send(context.Background(), Note{Taught: true}) },
	})
	return n
}

// run serves the page until it leaves, the hub ends, or its credential does.
func (n *session) run(visit context.Context) error {
	all, ctx := errgroup.WithContext(visit)
	n.done = ctx.Done()
	n.out <- Note{Welcome: &Welcome{
		Version: Version, Rights: n.by.Rights.Names(), HoldMS: int(holdTime / time.Millisecond), TapMS: int(tapTime / time.Millisecond), Voice: n.asker != nil,
	}}
	n.out <- scene(puck.Memory{}, puck.Light{Mode: puck.Off})
	all.Go(func() error { return n.write(ctx) })
	all.Go(func() error { return n.ping(ctx) })
	all.Go(func() error {
		n.puck.Run(ctx)
		return nod.Errorf(nod.Unavailable, "the hub is ending")
	})
	left := make(chan error, 1)
	go func() { left <- n.read(ctx) }() // it ends with the connection, after a goodbye
	all.Go(func() error {
		select {
		case err := <-left:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	err := all.Wait()
	if visit.Err() != nil {
		return context.Cause(visit) // the reason
	}
	return err
}

// read handles what the page sends. It is not cancelled, because that would close the
// connection before the reason is sent.
func (n *session) read(ctx context.Context) error {
	for {
		_, text, err := n.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var w PageEvent
		if err := json.Unmarshal(text, &w); err != nil {
			err = n.send(ctx, Note{Error: &Problem{nod.Invalid, "this is {input}, {say} or {spoken}, as JSON"}})
			if err != nil {
				return err
			}
			continue
		}
		n.take(ctx, w)
	}
}

// take handles one event of the page. The puck itself rejects what does not count; only
// malformed events are answered here.
func (n *session) take(ctx context.Context, w PageEvent) {
	if w.Spoken > n.heard.Load() {
		n.heard.Store(w.Spoken)
		n.wake()
	}
	if w.Input == "" && strings.TrimSpace(w.Say) == "" {
		return
	}
	m := n.puck.Memory()
	if w.Request != nil && m.Request != "" && *w.Request != m.Request {
		_ = n.Beep(ctx) // it was meant for what was shown before
		return
	}
	if said := nod.Fold(w.Say, longest); w.Input == "" && w.Request != nil {
		_ = n.puck.HeardAbout(ctx, *w.Request, said)
		return
	} else if w.Input == "" {
		_ = n.puck.Heard(ctx, said)
		return
	}
	in := puck.Input{Event: w.Input, Option: w.Option}
	if w.Request != nil {
		in.Request = *w.Request
	}
	if err := n.puck.Input(ctx, in); err != nil && nod.CodeOf(err) == nod.Invalid {
		_ = n.send(ctx, Note{Error: &Problem{nod.Invalid, "unknown input: " + nod.Fold(nod.OneLine(string(w.Input)), 40)}})
	}
}

func (n *session) wake() {
	select {
	case n.spoken <- struct{}{}:
	default:
	}
}

// send queues a note. It waits while the queue is full: a slow page gets everything,
// later.
func (n *session) send(ctx context.Context, note Note) error {
	select {
	case n.out <- note:
		return nil
	case <-n.done:
		return nod.Errorf(nod.Unavailable, "the page is gone")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *session) write(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case note := <-n.out:
			text, err := json.Marshal(note)
			if err != nil {
				return err
			}
			// Not cancelled, because that would close the connection before the reason is sent.
			one, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTime)
			err = n.conn.Write(one, websocket.MessageText, text)
			cancel()
			if err != nil {
				return err
			}
		}
	}
}

// ping ends the session of a page that is gone, so that its puck stops asking.
func (n *session) ping(ctx context.Context) error {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		one, cancel := context.WithTimeout(ctx, writeTime)
		err := n.conn.Ping(one)
		cancel()
		if err != nil {
			return err
		}
	}
}
