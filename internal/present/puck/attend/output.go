package attend

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/puck"
)

// lamp holds the light to show: only the newest matters, so a slow device is late but never falls behind.
type lamp struct {
	mu    sync.Mutex
	light *puck.Light
	beeps bool
	wake  chan struct{}
}

func (l *lamp) show(light puck.Light) {
	l.mu.Lock()
	l.light = &light
	l.mu.Unlock()
	nudge(l.wake)
}

func (l *lamp) beep() {
	l.mu.Lock()
	l.beeps = true
	l.mu.Unlock()
	nudge(l.wake)
}

func (l *lamp) take() (light *puck.Light, beep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	light, beep = l.light, l.beeps
	l.light, l.beeps = nil, false
	return light, beep
}

func nudge(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// deviceTime is the time limit of one device call.
const deviceTime = 10 * time.Second

// speechTime bounds one utterance, including the listening after it.
const speechTime = time.Minute

// output drives one device: its light and beeps in one goroutine, its voice in another.
type output struct {
	device Device
	desk   hub.Desk
	name   string // of the puck, for the log
	log    *slog.Logger
	lamp   lamp
	voice  voice
}

// light is the goroutine that lights and beeps.
func (o *output) light(ctx context.Context) {
	for {
		select {
		case <-o.lamp.wake:
		case <-ctx.Done():
			return
		}
		light, beep := o.lamp.take()
		one, stop := context.WithTimeout(ctx, deviceTime)
		if light != nil {
			o.trouble(ctx, "show its light", o.device.Show(one, *light))
		}
		if beep {
			o.trouble(ctx, "beep", o.device.Beep(one))
		}
		stop()
	}
}

func (o *output) trouble(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		o.log.Warn("a voice puck could not "+what, "puck", o.name, "err", err)
	}
}

// job is one utterance.
type job struct {
	speech puck.Speech
	ask    Ask
	ended  bool
	useful context.Context // until it is cut
	cut    context.CancelFunc
	after  []func()
}

// brief: only useful until something newer is said.
func (j *job) brief() bool {
	return j.ask.Kind != AskNothing || j.speech.Key == puck.SayAsking || j.speech.Key == puck.SayOption
}

// voice is the queue of utterances.
type voice struct {
	mu    sync.Mutex
	queue []*job // the first may be spoken now
	wake  chan struct{}
}

// add queues an utterance, replacing those that it makes obsolete.
func (v *voice) add(s puck.Speech, ask Ask) *job {
	v.cut((*job).brief)
	j := &job{speech: s, ask: ask}
	j.useful, j.cut = context.WithCancel(context.Background())
	v.mu.Lock()
	v.queue = append(v.queue, j)
	v.mu.Unlock()
	nudge(v.wake)
	return j
}

// cut ends obsolete utterances, spoken or not.
func (v *voice) cut(pointless func(*job) bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, j := range v.queue {
		if pointless(j) {
			j.cut()
		}
	}
}

// then runs something when a job is over. It runs in another goroutine, or later, because the caller holds a lock.
func (v *voice) then(j *job, f func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if j.ended {
		go f()
		return
	}
	j.after = append(j.after, f)
}

func (v *voice) first() *job {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.queue) == 0 {
		return nil
	}
	return v.queue[0]
}

func (v *voice) done(j *job) []func() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.queue, j.ended = v.queue[1:], true
	j.cut()
	return j.after
}

// speak is the goroutine that speaks.
func (o *output) speak(ctx context.Context) {
	for {
		j := o.voice.first()
		if j == nil {
			select {
			case <-o.voice.wake:
			case <-ctx.Done():
				return
			}
			continue
		}
		if ctx.Err() != nil {
			return
		}
		if j.useful.Err() == nil {
			o.utter(ctx, j)
		}
		for _, f := range o.voice.done(j) {
			f()
		}
	}
}

func (o *output) utter(ctx context.Context, j *job) {
	one, stop := context.WithTimeout(ctx, speechTime)
	defer stop()
	defer context.AfterFunc(j.useful, stop)()
	err := o.device.Say(one, j.speech, j.ask)
	if j.useful.Err() != nil {
		return
	}
	o.trouble(ctx, "speak", err)
	prompts := j.speech.Key == puck.SayPrompt || j.speech.Key == puck.SayPromptOf || j.speech.Key == puck.SayScreenOnly || j.speech.Key == puck.SayChoices
	if err == nil && prompts {
		err = o.desk.Shown(ctx, nod.RequestID(j.ask.Request))
		if nod.CodeOf(err) != nod.NotFound { // gone by now
			o.trouble(ctx, "note that it asked", err)
		}
	}
}
