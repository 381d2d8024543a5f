package homeassistant

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// device is one satellite with its parts.
type device struct {
	*handle
	*attendant
	language string
	ring     *ring
	dial     *dial
	voice    *voice

	mu   sync.Mutex
	seen map[string]string // the last event of each event entity
}

func newDevice(s *Surface, one satellite, say words.Printer, language string) *device {
	h := &handle{surface: s, one: one}
	a := &attendant{dialCheck: make(chan struct{}, 1), micCheck: make(chan struct{}, 1)}
	d := &device{
		handle: h, attendant: a, language: language, seen: map[string]string{},
		ring:  &ring{handle: h, lighting: make(lock, 1), moved: make(chan struct{})},
		voice: &voice{handle: h, puck: a, say: say, speaking: make(lock, 1), moved: make(chan struct{})},
	}
	d.dial = &dial{handle: h, puck: a, input: d.input}
	return d
}

// Say speaks. With a question it returns when the question was spoken; the answer
// comes as an input.
func (d *device) Say(ctx context.Context, s puck.Speech, ask attend.Ask) error {
	return d.voice.speakNew(ctx, s, ask)
}

// Show lights the ring. What it was before is kept until it goes off.
func (d *device) Show(ctx context.Context, l puck.Light) error {
	d.changed()
	return d.ring.show(ctx, l)
}

// Beep plays a sound, unless a person is asked: a sound would close the microphone.
func (d *device) Beep(ctx context.Context) error { return d.voice.beep(ctx) }

// grace is how long a puck is attended without a connection: Home Assistant may be
// back at once. After that no person can be reached here, and the puck ends.
const grace = 30 * time.Second

// attend starts the puck, unless it runs.
func (d *device) attend() {
	if d.kept() {
		return
	}
	s, one := d.surface, d.satellite()
	p := attend.New(attend.Options{
		Deps: s.Deps.Deps, Asker: s.asker, Assistant: s.Assistant, Device: d, Allow: s.Allow, Agents: s.wanted(), Language: d.language,
		By:   nod.Actor{Kind: nod.ActorDevice, Name: one.name, Via: via, ID: one.id, Rights: nod.RightsOf(nod.View, nod.Answering)},
		Room: one.name, Name: one.id, Via: via, Taught: s.records.of(one.id).Taught,
		OnTaught: func() { s.records.change(one.id, func(r *record) { r.Taught = true }) },
	})
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	before := d.begin(p, end, ended)
	s.start(func(life context.Context) {
		defer close(ended)
		if before != nil {
			<-before // otherwise it would turn this one's light off
		}
		defer context.AfterFunc(life, end)()
		var all sync.WaitGroup
		all.Go(func() { d.check(ctx) })
		p.Run(ctx)
		end()
		all.Wait()
		d.voice.supersede()
		d.forget(p)
	})
}

// disconnected ends the puck soon. While it asks it ends at once: no person can
// answer, so the time to answer must not run out, and the next connection asks again.
func (d *device) disconnected() {
	if asked(d.memory().At()) {
		d.leave()
		return
	}
	ctx, cancel := d.lost()
	if ctx == nil {
		return
	}
	d.surface.start(func(life context.Context) {
		defer context.AfterFunc(life, cancel)()
		if pause.For(ctx, grace) {
			d.leave()
		}
	})
}

// resume brings ring and volume up to date with a new connection: Home Assistant or
// nod may have restarted.
func (d *device) resume(ctx context.Context) {
	if err := d.ring.refresh(ctx); err != nil && ctx.Err() == nil {
		d.warn("a ring cannot be lit", err)
	}
	if !asked(d.memory().At()) {
		d.dial.release(ctx)
	}
	d.changed()
}

// restore sets ring and volume back.
func (d *device) restore(ctx context.Context) {
	d.voice.withdraw(ctx)
	if err := d.ring.restore(ctx); err != nil {
		d.warn("a ring stays lit; it is set back at the next start", err)
	}
	d.dial.release(ctx)
}

// settle is how long a question stays open after its answer came another way: if
// something is said next, that closes it.
const settle = 700 * time.Millisecond

// check keeps dial and microphone in step with the state machine. The two do not wait
// for each other, because a hand is quick.
func (d *device) check(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { onEach(ctx, d.dialCheck, d.checkDial) })
	all.Go(func() { onEach(ctx, d.micCheck, d.checkMicrophone) })
	all.Wait()
}

func onEach(ctx context.Context, signal <-chan struct{}, do func(context.Context)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signal:
			do(ctx)
		}
	}
}

func (d *device) checkDial(ctx context.Context) {
	if asked(d.memory().At()) {
		d.dial.hold(ctx)
	} else {
		d.dial.release(ctx)
	}
}

func (d *device) checkMicrophone(ctx context.Context) {
	if open := d.voice.stale(); open != nil && pause.For(ctx, settle) && d.voice.stale() == open {
		d.voice.withdraw(ctx)
	}
}
