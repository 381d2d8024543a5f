// Package entities shows agents as devices of Home Assistant, over MQTT: it
// announces them, says how they are, and takes what is pressed, chosen and typed
// there. Nothing but the announcements is retained: what an agent asked must not
// lie in a broker for years.
package entities

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// Options are what the surface works with.
type Options struct {
	Hub       *hub.Hub
	Bus       mqttd.Bus
	ID        string        // of this hub among others on the same broker
	Status    string        // the topic that says whether this hub is there; empty: mqttd.StatusTopic
	Prefix    string        // of Home Assistant's discovery; empty: homeassistant
	Content   Content       // how much of an agent's words is published; empty: short
	Keep      time.Duration // how long the device of an agent that has ended stays; 0: ten minutes
	Talks     bool          // conversations without a terminal are devices too
	TrustsBus bool          // who publishes on a broker that is not nod's own may answer
	Proof     []string      // levels of risk that take a passkey
	Say       words.Printer
	Address   string // of the hub, for people; empty or no address: none
	Version   string
	Now       func() time.Time     // nil: time.Now
	Delay     func() time.Duration // after Home Assistant's birth; nil: up to three seconds
	Log       *slog.Logger         // nil: discard
}

// Content is how much of an agent's words is published.
type Content string

// How much is published.
const (
	Full  Content = "full"  // all that is to be read before answering
	Short Content = "short" // one line
	None  Content = "none"  // that something waits, not what
)

// via is this surface's name in the log.
const via = "entities"

const (
	usualKeep   = 10 * time.Minute
	publishTime = 5 * time.Second
	tryAgain    = 5 * time.Second
	mostDevices = 100
)

// settling is when a state is said again after its announcement: Home Assistant
// makes entities first and listens then, and a state is not retained.
var settling = [...]time.Duration{time.Second, 5 * time.Second}

// Surface publishes and listens.
type Surface struct {
	Options
	node   string // this hub's part of every name and topic
	desk   hub.Desk
	wake   chan news
	up     bool
	asked  map[nod.RequestID]struct{} // whose asking was told, so that the end is told too
	heard  heard
	refuse sync.Once

	mu      sync.Mutex // of what commands look at
	devices map[nod.AgentID]*device
	house   thing // the hub's own device
}

// New makes a surface; Run lets it work.
func New(o Options) *Surface {
	if o.Status == "" {
		o.Status = mqttd.StatusTopic
	}
	if o.Prefix == "" {
		o.Prefix = "homeassistant"
	}
	if o.Content == "" {
		o.Content = Short
	}
	if o.Keep <= 0 {
		o.Keep = usualKeep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Delay == nil {
		o.Delay = func() time.Duration { return rand.N(3 * time.Second) }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	eyes := nod.Actor{Kind: nod.ActorSystem, Name: "Home Assistant", Via: via, Rights: nod.RightsOf(nod.View)}
	return &Surface{
		Options: o, node: Node(o.ID), desk: o.Hub.Desk(eyes), wake: make(chan news),
		asked: map[nod.RequestID]struct{}{}, devices: map[nod.AgentID]*device{},
	}
}

// Node is a hub's part of every name and topic.
func Node(id string) string { return "nod_" + slug(id) }

// news is something that the loop should know of; one of its fields is set.
type news struct {
	event *nod.Event
	fresh *nod.Snapshot // the log is followed from here
	up    *bool
	born  bool
	stale string // a retained announcement with this name was found
}

// Run works until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	all.Go(func() { s.follow(ctx) })
	s.Bus.Watch(ctx, func(up bool) { s.tell(ctx, news{up: &up}) })
	s.listen(ctx, s.Prefix+"/status", func(m mqttd.Message) {
		if string(m.Payload) == "online" {
			s.tell(ctx, news{born: true})
		}
	})
	s.listen(ctx, s.Prefix+"/device/"+s.node+"/+/config", func(m mqttd.Message) {
		if name, ok := s.announcedAs(m.Topic); ok && len(m.Payload) > 0 {
			s.tell(ctx, news{stale: name})
		}
	})
	s.listen(ctx, "nod/"+s.node+"/+/+/set", func(m mqttd.Message) { s.command(ctx, m) })
	s.loop(ctx)
}

func (s *Surface) listen(ctx context.Context, filter string, f func(mqttd.Message)) {
	if err := s.Bus.Subscribe(ctx, filter, f); err != nil && ctx.Err() == nil {
		s.Log.Error("Home Assistant is not heard", "topic", filter, "err", err)
	}
}

func (s *Surface) tell(ctx context.Context, n news) {
	select {
	case s.wake <- n:
	case <-ctx.Done():
	}
}

// follow tells the loop of everything that happens.
func (s *Surface) follow(ctx context.Context) {
	s.desk.Mirror(ctx, func(state *nod.State) {
		snap := state.Snapshot()
		s.tell(ctx, news{fresh: &snap})
	}, func(e *nod.Event) { s.tell(ctx, news{event: e}) })
}

// loop is the only one who publishes what devices are.
func (s *Surface) loop(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var born time.Time // when Home Assistant's birth is answered
	for {
		select {
		case n := <-s.wake:
			if n.born {
				born = s.Now().Add(s.Delay())
			} else {
				s.take(ctx, n)
			}
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		now := s.Now()
		if !born.IsZero() && !born.After(now) {
			born = time.Time{}
			s.forget()
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

// take notes what happened.
func (s *Surface) take(ctx context.Context, n news) {
	switch {
	case n.up != nil:
		if s.up = *n.up; s.up {
			s.forget()
		}
	case n.fresh != nil:
		s.begin(ctx, *n.fresh)
	case n.event != nil:
		s.see(ctx, *n.event)
	case n.stale != "":
		if !s.knows(n.stale) {
			s.publish(ctx, mqttd.Message{Topic: s.configTopic(n.stale), QoS: 1, Retain: true})
		}
	}
}

// publish sends something, or says why not.
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
