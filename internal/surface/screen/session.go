package screen

import (
	"context"
	"encoding/json"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/draw"
)

const (
	// tooFresh: a press sooner after a request appeared was meant for what was there
	// before.
	tooFresh   = 350 * time.Millisecond
	decideTime = 10 * time.Second
	holdTime   = time.Second
	holdStep   = 100 * time.Millisecond
	dimLevel   = 10
	keepSeen   = 1000
)

// session is one device. Only the goroutine of live uses the fields after stage.
type session struct {
	*Surface
	desk  hub.Desk
	by    nod.Actor
	conn  *websocket.Conn
	hello *Hello
	stage *stage

	presses chan Press
	facts   chan nod.Event
	results chan result

	world    draw.World
	at       draw.Cursor
	agents   map[nod.AgentID]nod.AgentState
	known    map[nod.RequestID]bool // requests that were announced
	answered map[nod.RequestID]bool // by this device
	noteEnds time.Time
	offer    *offer    // that goes with the note
	held     time.Time // since when A is down
	quiet    time.Time // since when nothing happens
	dimmed   bool
}

func newSession(s *Surface, conn *websocket.Conn, h *Hello, by nod.Actor) *session {
	by.Via = "screen"
	n := &session{
		Surface: s, desk: s.Hub.Desk(by), by: by, conn: conn, hello: h,
		presses: make(chan Press), facts: make(chan nod.Event), results: make(chan result),
		agents: map[nod.AgentID]nod.AgentState{}, answered: map[nod.RequestID]bool{},
		world: draw.World{Say: h.printer(), Size: h.size(), Rights: by.Rights, Proof: s.Hub.ProofLevels(), Address: s.Address()},
	}
	return n
}

// run serves the device until it leaves, the hub ends, or its credential does.
func (n *session) run(ctx context.Context) error {
	all, ctx := errgroup.WithContext(ctx)
	seen := map[nod.RequestID]bool{} // of the stage's goroutine
	n.stage = newStage(n.conn, n.hello, n.Now, func(id nod.RequestID) {
		if !seen[id] {
			if len(seen) >= keepSeen { // telling the hub twice does no harm
				clear(seen)
			}
			seen[id] = true
			all.Go(func() error { n.receipt(ctx, id); return nil })
		}
	})
	n.stage.tell(Note{
		Type: "welcome", Version: Version, Width: n.hello.Width, Height: n.hello.Height, Format: n.hello.Format,
		Rights: n.by.Rights.Names(), HoldMS: int(holdTime / time.Millisecond), BeatS: int(beatEvery / time.Second),
	})
	all.Go(func() error { return n.stage.run(ctx) })
	all.Go(func() error { return n.stage.beat(ctx) })
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
	all.Go(func() error { return n.follow(ctx) })
	all.Go(func() error { return n.live(ctx) })
	return all.Wait()
}

// receipt notes that a request was shown to the person at the device.
func (n *session) receipt(ctx context.Context, id nod.RequestID) {
	if err := n.desk.Shown(ctx, id); err != nil && nod.CodeOf(err) != nod.NotFound && ctx.Err() == nil {
		n.Log.Warn("a shown request was not noted", "request", id, "err", err)
	}
}

// read handles what the device sends. It is not cancelled, because that would close the
// connection before the reason is sent.
func (n *session) read(ctx context.Context) error {
	for {
		_, text, err := n.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		var p Press
		if err := json.Unmarshal(text, &p); err != nil || p.Button == "" {
			n.stage.tell(Note{Type: "error", Code: nod.Invalid, Message: "a press is {button, kind, frame}"})
			continue
		}
		select {
		case n.presses <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow passes every event on. An empty one stands for a gap: live looks at
// everything again.
func (n *session) follow(ctx context.Context) error {
	n.desk.Mirror(ctx, func(*nod.State) { n.pass(ctx, nod.Event{}) }, func(e *nod.Event) { n.pass(ctx, *e) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return nod.Errorf(nod.Unavailable, "the hub is ending")
}

func (n *session) pass(ctx context.Context, e nod.Event) {
	select {
	case n.facts <- e:
	case <-ctx.Done():
	}
}

// live redraws the scene whenever something happens.
func (n *session) live(ctx context.Context) error {
	n.quiet = n.Now()
	select {
	case <-n.facts: // follow has begun, so nothing after the first picture is missed
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := n.look(ctx); err != nil { // never "all quiet" before it is known
		return err
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-n.facts:
			if !n.handleEvent(e) {
				continue
			}
			if err := n.look(ctx); err != nil {
				return err
			}
		case p := <-n.presses:
			n.pressed(ctx, p)
		case r := <-n.results:
			if r.said != "" {
				n.showNote(n.saidNote(r), n.glance())
				break
			}
			n.world.Sending = ""
			n.showNote(n.outcome(r), n.glance())
		case <-timer.C:
		}
		timer.Reset(n.redraw())
	}
}

// look takes a new snapshot, and beeps when a new request waits.
func (n *session) look(ctx context.Context) error {
	snap, err := n.desk.Snapshot(ctx)
	if err != nil {
		return err
	}
	waiting := map[nod.RequestID]bool{}
	fresh := false
	for _, r := range snap.Requests {
		waiting[r.ID] = true
		fresh = fresh || !n.known[r.ID]
	}
	if fresh {
		n.stage.tell(Note{Type: "beep", Hz: 660, To: 880, MS: 160})
		if n.world.Note != nil && n.at.Request == "" {
			n.world.Note = nil // a question is more important than news
		}
	}
	if fresh || len(snap.Requests) > 0 {
		n.quiet = n.Now()
	}
	for _, a := range snap.Agents {
		if _, ok := n.agents[a.ID]; !ok && a.Alive() {
			n.agents[a.ID] = a.State
		}
	}
	for id := range n.answered {
		if !waiting[id] {
			delete(n.answered, id)
		}
	}
	n.known, n.world.Snapshot = waiting, snap
	return nil
}

// redraw shows the current scene, and returns when it changes by itself.
func (n *session) redraw() time.Duration {
	now := n.Now()
	n.world.Now = now
	if n.world.Note != nil && !now.Before(n.noteEnds) {
		n.world.Note = nil
	}
	var scene draw.Scene
	scene, n.at = draw.Present(n.world, n.at)
	n.dim(now, scene.Kind == draw.Waiting)
	hold, next := n.holding(now, scene), time.Hour
	var o *offer
	if scene.Kind == draw.Telling && n.offer != nil {
		o = n.offer
		o.label(&scene)
	}
	n.stage.show(scene, hold, o)
	sooner := func(d time.Duration) {
		if d > 0 {
			next = min(next, d)
		}
	}
	sooner(draw.Tick(n.world, n.at))
	if n.world.Note != nil {
		sooner(n.noteEnds.Sub(now))
	}
	if hold > 0 && hold < 1 {
		sooner(holdStep)
	}
	if !n.dimmed {
		sooner(n.quiet.Add(n.Dim).Sub(now))
	}
	return next
}

// dim turns the backlight down when nothing happens, and up when something does.
func (n *session) dim(now time.Time, quiet bool) {
	dimmed := quiet && now.Sub(n.quiet) >= n.Dim
	if dimmed == n.dimmed {
		return
	}
	level := 100
	if n.dimmed = dimmed; dimmed {
		level = dimLevel
	}
	n.stage.tell(Note{Type: "dim", Level: &level})
}

// holding is how far the hold of A has got, from 0 to 1.
func (n *session) holding(now time.Time, s draw.Scene) float64 {
	if n.held.IsZero() || !s.Buttons[draw.A].Hold {
		return 0
	}
	return min(1, float64(now.Sub(n.held)+holdStep)/float64(holdTime))
}
