package homeassistant

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// device is one satellite with what belongs to it.
type device struct {
	surface   *Surface
	say       words.Printer
	language  string
	dialCheck chan struct{} // something changed: check the dial
	micCheck  chan struct{} // the same: check the microphone
	speaking  lock          // one announcement or question at a time

	mu       sync.Mutex
	puck     *attend.Puck       // nil: nobody can be asked here now
	endGrace context.CancelFunc // the connection is back; nil: it was not lost
	endPuck  context.CancelFunc
	ended    chan struct{} // closed when the puck before has ended
	one      satellite
	light    puck.Light
	ring     hass.State        // as Home Assistant reports it
	voice    hass.State        // of the satellite: idle, listening, …
	moved    chan struct{}     // closed when ring or voice changes
	seen     map[string]string // the last event of each event entity
	said     *speech           // the last thing, to repeat it
	open     *question         // whose answer is listened for
	knob     knob
}

// speech is something that was said, and what was asked with it.
type speech struct {
	text string
	ask  attend.Ask
}

func newDevice(s *Surface, one satellite, say words.Printer, language string) *device {
	return &device{surface: s, say: say, language: language, one: one, dialCheck: make(chan struct{}, 1), micCheck: make(chan struct{}, 1), speaking: make(lock, 1), moved: make(chan struct{}), seen: map[string]string{}}
}

func (d *device) satellite() satellite {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.one
}

func (d *device) setSatellite(one satellite) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.one = one
}

func (d *device) call(ctx context.Context, a hass.Action) (json.RawMessage, error) {
	return d.surface.client.Call(ctx, a)
}

// grace is how long a puck is attended without a connection: Home Assistant may be
// back at once. After that nobody is reached here, and the puck ends.
const grace = 30 * time.Second

// attend starts the puck, unless it runs.
func (d *device) attend() {
	d.mu.Lock()
	if d.endGrace != nil {
		d.endGrace()
		d.endGrace = nil
	}
	there, one := d.puck != nil, d.one
	d.mu.Unlock()
	if there {
		return
	}
	s := d.surface
	p := attend.New(attend.Options{
		Deps: s.Deps.Deps, Asker: s.asker, Assistant: s.Assistant, Device: d, Agents: s.wanted(), Language: d.language,
		By:   nod.Actor{Kind: nod.ActorDevice, Name: one.name, Via: via, ID: one.id, Rights: nod.RightsOf(nod.View, nod.Answering)},
		Room: one.name, Name: one.id, Via: via, Taught: s.records.of(one.id).Taught,
		OnTaught: func() { s.records.change(one.id, func(r *record) { r.Taught = true }) },
	})
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	d.mu.Lock()
	before := d.ended
	d.puck, d.endPuck, d.ended = p, end, ended
	d.mu.Unlock()
	s.start(func(life context.Context) {
		defer close(ended)
		if before != nil {
			<-before // else it would turn off the light of this one
		}
		defer context.AfterFunc(life, end)()
		var all sync.WaitGroup
		all.Go(func() { d.check(ctx) })
		p.Run(ctx)
		end()
		all.Wait()
		d.supersede()
		d.mu.Lock()
		if d.puck == p {
			d.puck, d.endPuck = nil, nil
		}
		d.mu.Unlock()
	})
}

// disconnected ends the puck soon. While it asks it ends at once: nobody can answer,
// so the time to answer must not run out, and the next connection asks again.
func (d *device) disconnected() {
	if asked(d.memory().At()) {
		d.leave()
		return
	}
	d.mu.Lock()
	if d.puck == nil || d.endGrace != nil {
		d.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.endGrace = cancel
	d.mu.Unlock()
	d.surface.start(func(life context.Context) {
		defer context.AfterFunc(life, cancel)()
		if pause.For(ctx, grace) {
			d.leave()
		}
	})
}

// leave ends the puck.
func (d *device) leave() {
	d.mu.Lock()
	end := d.endPuck
	d.puck, d.endPuck = nil, nil
	d.mu.Unlock()
	if end != nil {
		end()
	}
}

// running is the puck, or nil.
func (d *device) running() *attend.Puck {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.puck
}

// memory is that of the puck's state machine; one that does not run is idle.
func (d *device) memory() puck.Memory {
	p := d.running()
	if p == nil {
		return puck.Memory{State: puck.Idle}
	}
	return p.Memory()
}

// resume brings ring and volume up to date with a new connection: Home Assistant or
// nod may have restarted.
func (d *device) resume(ctx context.Context) {
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

// restore sets ring and volume back.
func (d *device) restore(ctx context.Context) {
	d.withdraw(ctx)
	if err := d.unpaint(ctx); err != nil {
		d.surface.Log.Warn("a ring stays lit; it is set back at the next start", "satellite", d.satellite().id, "err", err)
	}
	d.release(ctx)
}

// settle is how long a question stays open after its answer came another way:
// what is said next ends it by itself.
const settle = 700 * time.Millisecond

// check keeps dial and microphone in step with the state machine. The two do not
// wait for each other: a hand is quick.
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
		d.grasp(ctx)
	} else {
		d.release(ctx)
	}
}

func (d *device) checkMicrophone(ctx context.Context) {
	if open := d.stale(); open != nil && pause.For(ctx, settle) && d.stale() == open {
		d.withdraw(ctx)
	}
}

// changed has dial and microphone checked.
func (d *device) changed() {
	notify(d.dialCheck)
	notify(d.micCheck)
}

// asked reports whether a person is expected to turn or press.
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
