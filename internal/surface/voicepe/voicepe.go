// Package voicepe serves voice pucks over MQTT: what waits for an answer goes out, what
// a person said or chose comes in. Either Home Assistant runs the puck and exchanges
// requests and answers with nod, or nod runs it and Home Assistant only passes on its
// light, its voice and its buttons.
package voicepe

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/mqttd"
	"nod/internal/present/puck/attend"
	"nod/internal/talk"
)

// The owners of a puck.
const (
	byNod           = "nod"
	byHomeAssistant = "homeassistant"
)

// via is this surface's name in the log.
const via = "voicepe"

// Needs is what the surface needs of others.
type Needs struct {
	Bus     mqttd.Bus
	Trusted bool          // clients of another broker may answer
	Turn    time.Duration // how long an answer may take
	Rate    int           // questions a minute for one client; 0: any number
}

// workingTime is how soon a person at a puck hears that the answer takes longer.
const workingTime = 15 * time.Second

// The topics below a prefix.
const (
	topicRequest  = "/request"
	topicResponse = "/response"
	topicAnswer   = "/approval-response"
	topicInput    = "/input"
	topicLED      = "/led"
	topicVoice    = "/voice"
)

// Rules say who may read and write which topics at nod's own broker.
func (c Config) Rules() mqttd.Rules {
	r := mqttd.Rules{
		Read:  []string{c.Prefix + topicResponse, c.Prefix + topicLED, c.Prefix + topicVoice},
		Write: []string{c.Prefix + topicRequest, c.Prefix + topicAnswer, c.Prefix + topicInput},
	}
	if c.Homelab {
		r.Read = append(r.Read, c.Prefix+homelabResponse, c.Prefix+homelabRequest)
		r.Write = append(r.Write, c.Prefix+homelabCommand)
	}
	return r
}

// Surface speaks with the pucks of one prefix.
type Surface struct {
	Config
	adapter.Deps
	Needs
	asker   *talk.Asker // nil: there is no assistant
	rate    talk.Rate
	out     *publisher
	words   describer
	pending pendingList
	counted attend.Tasks
	recent  recentRequests
	tasks   tasks
	puck    *attend.Puck // where nod runs it
	active  activeWork
}

// New makes a surface; Run connects it.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	s := &Surface{
		Config: c, Deps: d, Needs: n, rate: talk.Rate{Most: n.Rate},
		words: describer{d.Hub, c.Language, c.Allow},
		out: &publisher{
			Config: c, Deps: d, bus: n.Bus,
			errors: limiter{most: 5, each: time.Second}, logs: limiter{most: 3, each: 10 * time.Second},
		},
	}
	s.pending.init()
	s.pending.count = func(agent nod.AgentID, pending int) (index, total int, ongoing bool) {
		s.Hub.Look(func(state *nod.State) { index, total, ongoing = s.counted.Count(state, agent, pending) })
		return index, total, ongoing
	}
	if !d.Demo {
		wait := workingTime
		if c.Owner == byNod { // the puck has timers of its own
			wait = n.Turn
		}
		s.asker = talk.New(d.Deps, wait)
	}
	return s
}

// newPuck is the puck where nod runs it.
func (s *Surface) newPuck() *attend.Puck {
	return attend.New(attend.Options{
		Deps: s.Deps.Deps, By: s.self(), Asker: s.asker, Assistant: s.Assistant, Device: device{s.out, s.words},
		Language: s.Language, Via: via, Name: s.Prefix, Denies: s.TimeoutDenies, Allow: s.Allow,
	})
}

// tasks run beside the surface until it ends.
type tasks struct {
	mu      sync.Mutex
	over    bool // no new task begins
	running sync.WaitGroup
}

// spawn starts a task, unless the surface ends.
func (t *tasks) spawn(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.running.Go(f)
	}
}

// begin lets tasks start.
func (t *tasks) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = false
}

// end lets no new task start, and waits for those that run.
func (t *tasks) end() {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	t.running.Wait()
}

// self is the actor of the puck where nod runs it. The client that sends its inputs was
// checked before.
func (s *Surface) self() nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: "voice puck", Via: via, ID: s.Prefix, Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// watcher follows the log. It cannot answer, because a running broker does not mean
// that a person is there.
func (s *Surface) watcher() hub.Desk {
	return s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "voice puck", Via: via, Rights: nod.RightsOf(nod.View)})
}

// Run connects the pucks until ctx ends. Of several hubs with one log only one does.
func (s *Surface) Run(ctx context.Context) { s.Hub.AsLeader(via, s.serve)(ctx) }

func (s *Surface) serve(ctx context.Context) {
	s.tasks.begin()
	in := map[string]func(context.Context, mqttd.Message){
		s.Prefix + topicAnswer: s.answered, s.Prefix + topicRequest: s.asked,
	}
	if s.Homelab {
		in[s.Prefix+homelabCommand] = s.asked
	}
	if s.Owner == byNod {
		s.puck = s.newPuck()
		in[s.Prefix+topicInput] = s.input
		s.tasks.spawn(func() { s.puck.Run(ctx) })
	}
	for topic, f := range in {
		if err := s.Bus.Subscribe(ctx, topic, func(m mqttd.Message) { s.receive(ctx, m, f) }); err != nil {
			s.Log.Error("the voice puck cannot listen", "topic", topic, "err", err)
		}
	}
	s.Bus.Watch(ctx, s.pending.connected)
	following := make(chan struct{})
	s.tasks.spawn(func() { s.follow(ctx, sync.OnceFunc(func() { close(following) })) })
	s.present(ctx, following)
	s.tasks.end()
}

// receive drops messages that must not be acted on: a retained one is old, and an
// empty one only clears a retained one.
func (s *Surface) receive(ctx context.Context, m mqttd.Message, f func(context.Context, mqttd.Message)) {
	switch {
	case len(m.Payload) == 0:
	case m.Retain:
		s.out.note("a retained message was ignored: requests and answers must not be retained", m)
	default:
		f(ctx, m)
	}
}
