package attend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

var kitchen = nod.Actor{Kind: nod.ActorDevice, Name: "kitchen puck", Via: "puck", ID: "t7", Rights: nod.RightsOf(nod.View, nod.Answering)}

// rig is a hub with a puck, in a bubble with fake time.
type rig struct {
	*hubtest.Rig
	puck   *attend.Puck
	device *device
}

// device records what it gets. Speaking takes as long as takes.
type device struct {
	mu    sync.Mutex
	lines []string
	asks  []attend.Ask
	takes time.Duration
	say   words.Printer
}

func (d *device) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *device) Show(_ context.Context, l puck.Light) error {
	switch l.Mode {
	case puck.Progress:
		d.note("progress %d/%d", l.Completed, l.Current)
	case puck.Segments:
		d.note("choice %d of %d", l.Selected, l.Options)
	case puck.Drain:
		d.note("timer %d %s", l.Percent, l.Color)
	default:
		d.note("%s", strings.TrimSpace(string(l.Mode)+" "+string(l.Color)))
	}
	return nil
}

func (d *device) Say(ctx context.Context, s puck.Speech, ask attend.Ask) error {
	d.mu.Lock()
	takes := d.takes
	d.asks = append(d.asks, ask)
	d.mu.Unlock()
	d.note("%q", s.In(d.say))
	if takes == 0 {
		return nil
	}
	select {
	case <-time.After(takes):
		return nil
	case <-ctx.Done():
		d.note("(cut)")
		return ctx.Err()
	}
}

func (d *device) Beep(context.Context) error {
	d.note("beep")
	return nil
}

// build makes a rig. change may be nil.
func build(t *testing.T, script func(*scripted.Turn), change func(*attend.Options)) *rig {
	t.Helper()
	options := hub.Options{Proof: []string{"network"}, Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}}
	r := &rig{Rig: hubtest.New(t, hubtest.Options{Options: options, Settle: synctest.Wait}), device: &device{say: words.In(words.English)}}
	o := attend.Options{Deps: r.Deps(), By: kitchen, Device: r.device, Taught: true}
	if script != nil {
		o.Asker = talk.New(r.Deps(), time.Minute)
	}
	if change != nil {
		change(&o)
	}
	if script != nil {
		scripted.New(t, r.Hub, script)
	}
	r.puck = attend.New(o)
	r.Run(r.puck.Run)
	return r
}

// ask raises a request for a command. It can be answered with one tap, and its
// risk is known to be small.
func (r *rig) ask(id, command string, change ...func(*nod.Request)) {
	r.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	q := hubtest.Approval(id, append([]func(*nod.Request){func(q *nod.Request) {
		q.Agent, q.Title, q.Input, q.Risk = nod.AgentRef{ID: "agent-1"}, "Bash: "+command, input, &nod.Risk{Level: "write"}
	}}, change...)...)
	r.agent(q.Agent.ID, nod.AgentWorking)
	r.Ask(q)
}

func (r *rig) agent(id nod.AgentID, state nod.AgentState) {
	r.Helper()
	r.Report(hub.Agent(id, func(a *nod.Agent, now time.Time) { a.Enter(state, now) }))
}

func (r *rig) input(event puck.Event) {
	r.Helper()
	if err := r.puck.Input(r.Context(), puck.Input{Event: event}); err != nil {
		r.Errorf("%s: %v", event, err)
	}
	synctest.Wait()
}

func (r *rig) heard(text string) {
	r.Helper()
	if err := r.puck.Heard(r.Context(), text); err != nil {
		r.Errorf("%q: %v", text, err)
	}
	synctest.Wait()
}

func (r *rig) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// told is what the device got since the last call.
func (r *rig) told() string {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	lines := strings.Join(r.device.lines, "; ")
	r.device.lines = nil
	return lines
}

// saw fails unless the device was told all of this: the lights in this order, and
// the words in this order. Which of the two comes first is not guaranteed.
func (r *rig) saw(want ...string) {
	r.Helper()
	told := r.told()
	var lane [2]string
	for _, line := range strings.Split(told, "; ") {
		lane[voiced(line)] += line + "; "
	}
	for _, w := range want {
		at := voiced(w)
		if _, after, ok := strings.Cut(lane[at], w); ok {
			lane[at] = after
		} else {
			r.Errorf("%s is missing in: %s", w, told)
			return
		}
	}
}

// voiced: words begin with a quote or, in a test that looks for some of them, are no light.
func voiced(line string) int {
	for _, light := range []string{"off", "solid", "blink", "progress", "choice", "timer", "beep"} {
		if strings.HasPrefix(line, light) {
			return 0
		}
	}
	return 1
}

func (r *rig) status(id string, want string) {
	r.Helper()
	got := "unknown"
	r.Hub.Look(func(s *nod.State) {
		if q := s.Requests[nod.RequestID(id)]; q != nil {
			got = string(q.Status)
			if q.Decision != nil {
				got = string(q.Decision.Verdict) + " by " + q.Decision.By
			}
		}
	})
	if got != want {
		r.Errorf("%s is %s, want %s", id, got, want)
	}
}

func (r *rig) state(want puck.State) {
	r.Helper()
	if got := r.puck.Memory().At(); got != want {
		r.Errorf("the puck is %s, want %s", got, want)
	}
}
