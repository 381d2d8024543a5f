// Package entities shows agents as devices of Home Assistant, over MQTT: it
// announces them, publishes their states, and takes what is pressed, chosen and
// typed there. Only announcements are retained: what an agent asked must not stay in
// a broker for years.
package entities

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/mqttd"
)

// Needs is what the surface needs of others.
type Needs struct {
	Bus     mqttd.Bus
	ID      string // of this hub among others on the same broker
	Status  string // the topic that says whether this hub is online
	Trusted bool   // clients of another broker may answer
}

// How much of what agents say is published.
const (
	contentFull = "full" // everything that a person should read before they answer
	contentNone = "none" // only that something is pending; the third value is "short": one line
)

// via is this surface's name in the log.
const via = "entities"

const (
	publishTime = 5 * time.Second
	tryAgain    = 5 * time.Second
	mostDevices = 100
)

// settling is when a state is published again after its announcement: Home Assistant
// creates entities before it subscribes, and states are not retained.
var settling = [...]time.Duration{time.Second, 5 * time.Second}

// Surface publishes and listens.
type Surface struct {
	Config
	adapter.Deps
	Needs
	delay    func() time.Duration // after the birth message of Home Assistant
	topics   topics
	present  presenter
	announce announcer
	devices  *devices
	commands *commands
	desk     hub.Desk
	wake     chan news

	// Only the loop uses these.
	up     bool
	events events
	own    deviceState // the hub's own device
}

// New makes a surface; Run publishes.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	viewer := nod.Actor{Kind: nod.ActorSystem, Name: "Home Assistant", Via: via, Rights: nod.RightsOf(nod.View)}
	t := topics{c.Prefix, Node(n.ID)}
	p := presenter{d, c.Content, c.Conversations}
	l := &devices{of: map[nod.AgentID]*device{}}
	return &Surface{
		Config: c, Deps: d, Needs: n, delay: func() time.Duration { return rand.N(3 * time.Second) },
		topics: t, present: p, announce: announcer{d, t, n.ID, n.Status}, devices: l,
		commands: &commands{Deps: d, Needs: n, topics: t, present: p, devices: l},
		desk:     d.Hub.Desk(viewer), wake: make(chan news), events: events{p, map[nod.RequestID]struct{}{}},
	}
}

// Node is a hub's part of every name and topic.
func Node(id string) string { return "nod_" + slug(id) }

// news is a message to the loop; one of its fields is set.
type news struct {
	event   *nod.Event
	fresh   *nod.Snapshot // the log is followed from here
	up      *bool
	started bool   // Home Assistant has started
	stale   string // a retained announcement with this name was found
}

// Run publishes and carries out commands until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { s.follow(ctx) })
	s.Bus.Watch(ctx, func(up bool) { s.notify(ctx, news{up: &up}) })
	s.listen(ctx, s.Prefix+"/status", func(m mqttd.Message) {
		if string(m.Payload) == "online" {
			s.notify(ctx, news{started: true})
		}
	})
	s.listen(ctx, s.topics.config("+"), func(m mqttd.Message) {
		if name, ok := s.topics.announced(m.Topic); ok && len(m.Payload) > 0 {
			s.notify(ctx, news{stale: name})
		}
	})
	s.listen(ctx, s.topics.of("+", "+/set"), func(m mqttd.Message) { s.commands.handle(ctx, m) })
	s.loop(ctx)
}

func (s *Surface) listen(ctx context.Context, filter string, f func(mqttd.Message)) {
	if err := s.Bus.Subscribe(ctx, filter, f); err != nil && ctx.Err() == nil {
		s.Log.Error("Home Assistant is not heard", "topic", filter, "err", err)
	}
}

func (s *Surface) notify(ctx context.Context, n news) {
	select {
	case s.wake <- n:
	case <-ctx.Done():
	}
}

// follow passes every event to the loop.
func (s *Surface) follow(ctx context.Context) {
	s.desk.Mirror(ctx, func(state *nod.State) {
		snap := state.Snapshot()
		s.notify(ctx, news{fresh: &snap})
	}, func(e *nod.Event) { s.notify(ctx, news{event: e}) })
}

// loop publishes devices; nothing else does.
func (s *Surface) loop(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var born time.Time // when to answer Home Assistant's birth message
	for {
		select {
		case n := <-s.wake:
			if n.started {
				born = s.Now().Add(s.delay())
			} else {
				s.apply(ctx, n)
			}
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		now := s.Now()
		if !born.IsZero() && !born.After(now) {
			born = time.Time{}
			s.republish()
		}
		next := s.flush(ctx, now)
		if !born.IsZero() && (next.IsZero() || born.Before(next)) {
			next = born
		}
		wait := time.Hour
		if !next.IsZero() {
			wait = max(next.Sub(now), time.Millisecond)
		}
		timer.Reset(wait)
	}
}

// apply applies one piece of news.
func (s *Surface) apply(ctx context.Context, n news) {
	switch {
	case n.up != nil:
		if s.up = *n.up; s.up {
			s.republish()
		}
	case n.fresh != nil:
		s.begin(ctx, *n.fresh)
	case n.event != nil:
		s.handleEvent(ctx, *n.event)
	case n.stale != "":
		if n.stale != hubName && s.devices.named(n.stale) == "" {
			s.publish(ctx, mqttd.Message{Topic: s.topics.config(n.stale), QoS: 1, Retain: true})
		}
	}
}

// publish sends a message, and reports whether it was sent.
func (s *Surface) publish(ctx context.Context, m mqttd.Message) bool {
	if !s.up {
		return false
	}
	hurry, stop := context.WithTimeout(ctx, publishTime)
	defer stop()
	if err := s.Bus.Publish(hurry, m); err != nil {
		s.Log.Debug("nothing was published", "topic", m.Topic, "err", err)
		return false
	}
	return true
}
