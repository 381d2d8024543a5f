package homeassistant

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// device is one satellite with what belongs to it.
type device struct {
	surface  *Surface
	say      words.Printer
	language string
	pokes    chan struct{} // something changed: look at the dial
	hushes   chan struct{} // the same: look at the microphone
	speaks   turn          // one voice

	mu       sync.Mutex
	puck     *attend.Puck       // nil: nobody can be asked here now
	leash    *time.Timer        // when a lost connection becomes a lost puck
	unattend context.CancelFunc // ends the puck
	left     chan struct{}      // closed when the puck before has ended
	one      satellite
	light    puck.Light
	ring     hass.State        // as Home Assistant tells it
	voice    hass.State        // of the satellite: idle, listening, …
	moved    chan struct{}     // closed when one of the two changes
	seen     map[string]string // the last event of each event entity
	said     *speech           // the last thing, for somebody who wants it again
	open     *question         // what is being listened for
	knob     knob
}

// speech is something that was said, and what was asked with it.
type speech struct {
	text string
	ask  attend.Ask
}

func newDevice(s *Surface, one satellite, say words.Printer, language string) *device {
	return &device{surface: s, say: say, language: language, one: one, pokes: make(chan struct{}, 1), hushes: make(chan struct{}, 1), speaks: make(turn, 1), moved: make(chan struct{}), seen: map[string]string{}}
}

func (d *device) satellite() satellite {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.one
}

func (d *device) is(one satellite) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.one = one
}

func (d *device) call(ctx context.Context, a hass.Action) (json.RawMessage, error) {
	return d.surface.Client.Call(ctx, a)
}

// grace is how long a puck is attended without a connection: Home Assistant may
// only have stumbled. After that nobody is there, and must not count as somebody.
const grace = 30 * time.Second

// attended makes sure that somebody stands beside the puck.
func (d *device) attended() {
	d.mu.Lock()
	if d.leash != nil {
		d.leash.Stop()
		d.leash = nil
	}
	there, one := d.puck != nil, d.one
	d.mu.Unlock()
	if there {
		return
	}
	s := d.surface
	p := attend.New(attend.Options{
		Deps: hub.Deps{Hub: s.Hub, Log: s.Log, Now: s.Now}, Asker: s.Asker, Assistant: s.Assistant, Device: d, Agents: s.wanted(), Language: d.language,
		By:   nod.Actor{Kind: nod.ActorDevice, Name: one.name, Via: via, ID: one.id, Rights: nod.RightsOf(nod.View, nod.Answering)},
		Room: one.name, Name: one.id, Via: via, Taught: s.keep.of(one.id).Taught,
		OnTaught: func() { s.keep.change(one.id, func(r *record) { r.Taught = true }) },
	})
	ctx, end := context.WithCancel(context.Background())
	left := make(chan struct{})
	d.mu.Lock()
	before := d.left
	d.puck, d.unattend, d.left = p, end, left
	d.mu.Unlock()
	s.start(func(life context.Context) {
		defer close(left)
		if before != nil {
			<-before // else it would put out the light of this one
		}
		defer context.AfterFunc(life, end)()
		var all sync.WaitGroup
		all.Go(func() { d.tend(ctx) })
		p.Run(ctx)
		end()
		all.Wait()
		d.supersede()
		d.mu.Lock()
		if d.puck == p {
			d.puck, d.unattend = nil, nil
		}
		d.mu.Unlock()
	})
}

// lose: the connection is gone. Nobody can answer what is asked just now, so its
// time must not run out meanwhile: the next connection asks it anew.
func (d *device) lose() {
	if asked(d.memory().At()) {
		d.leave()
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.puck == nil || d.leash != nil {
		return
	}
	d.leash = time.AfterFunc(grace, d.leave)
}

// leave: nobody stands beside the puck any more.
func (d *device) leave() {
	d.mu.Lock()
	end := d.unattend
	d.puck, d.unattend = nil, nil
	d.mu.Unlock()
	if end != nil {
		end()
	}
}

// attendedBy is who stands beside it, or nil.
func (d *device) attendedBy() *attend.Puck {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.puck
}

// memory is what the machine remembers; a puck that nobody attends is idle.
func (d *device) memory() puck.Memory {
	p := d.attendedBy()
	if p == nil {
		return puck.Memory{State: puck.Idle}
	}
	return p.Memory()
}

// back puts right what a new connection does not know: Home Assistant or nod may
// have started anew in the middle.
func (d *device) back(ctx context.Context) {
	d.mu.Lock()
	light := d.light
	d.mu.Unlock()
	var err error
	if light.Mode == "" || light.Mode == puck.Off {
		err = d.unpaint(ctx)
	} else {
		err = d.Show(ctx, light)
	}
	if err != nil && ctx.Err() == nil {
		d.surface.Log.Warn("a ring cannot be lit", "satellite", d.satellite().id, "err", err)
	}
	if !asked(d.memory().At()) {
		d.release(ctx)
	}
	d.changed()
}

// farewell makes everything as it was.
func (d *device) farewell(ctx context.Context) {
	d.withdraw(ctx)
	if err := d.unpaint(ctx); err != nil {
		d.surface.Log.Warn("a ring stays lit; it is set back at the next start", "satellite", d.satellite().id, "err", err)
	}
	d.release(ctx)
}

// settle is how long a question stays open after its answer came another way:
// what is said next ends it by itself.
const settle = 700 * time.Millisecond

// tend looks after the dial and the microphone while the machine goes from state
// to state. The two do not wait for each other: a hand is quick.
func (d *device) tend(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { whenever(ctx, d.pokes, d.mindDial) })
	all.Go(func() { whenever(ctx, d.hushes, d.mindMicrophone) })
	all.Wait()
}

func whenever(ctx context.Context, poked <-chan struct{}, do func(context.Context)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-poked:
			do(ctx)
		}
	}
}

func (d *device) mindDial(ctx context.Context) {
	if asked(d.memory().At()) {
		d.grasp(ctx)
	} else {
		d.release(ctx)
	}
}

func (d *device) mindMicrophone(ctx context.Context) {
	if open := d.stale(); open != nil && pause.For(ctx, settle) && d.stale() == open {
		d.withdraw(ctx)
	}
}

// changed: somebody should look.
func (d *device) changed() {
	poke(d.pokes)
	poke(d.hushes)
}

// asked: a person is expected to turn or press.
func asked(s puck.State) bool {
	switch s {
	case puck.Waiting, puck.PreviewApprove, puck.PreviewReject, puck.MultipleChoice:
		return true
	}
	return false
}

// waitsFor reports whether what was asked is still what is asked.
func (d *device) waitsFor(ask attend.Ask) bool {
	m := d.memory()
	if ask.Kind == attend.AskFree {
		return m.At() == puck.Idle
	}
	return asked(m.At()) && m.Request == ask.Request
}
