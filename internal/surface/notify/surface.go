// Package notify notifies people of what waits for them, by every channel they
// configured, one rung of the ladder after the other, and takes notifications back
// when they are settled. A channel that does not work delays no other.
package notify

import (
	"context"
	"net/netip"
	"slices"
	"sync"
	_ "time/tzdata" // quiet hours are by a person's clock, also where the system knows no zones

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/net/notify"
	"nod/internal/net/notify/channel"
	"nod/internal/present/words"
)

// Needs is what the surface needs of others.
type Needs struct {
	Shared Memory // where several hubs share a log; nil: a file of this hub
}

// Surface delivers notifications and takes the answers that come back.
type Surface struct {
	Config
	adapter.Deps
	Needs
	memory  Memory // nil: nothing is kept
	own     func() []netip.Addr
	ladder  notify.Ladder
	targets []*target
	tickets notify.Tickets
	pending *hub.PendingList
	saving  sync.Mutex

	mu   sync.Mutex
	news map[nod.AgentID]notify.News
}

// New makes the surface, or says what in the configuration is wrong.
func New(c Config, d adapter.Deps, n Needs) (*Surface, error) { return open(c, d, n, channel.New) }

// newSender makes the sender of a channel: channel.New, except in tests.
type newSender func(channel.Settings, channel.Outside) (notify.Sender, error)

func open(c Config, d adapter.Deps, n Needs, sender newSender) (*Surface, error) {
	d.Fill()
	s := &Surface{Config: c, Deps: d, Needs: n, memory: n.Shared, own: httpd.OwnAddresses, pending: hub.NewPendingList(d.Hub), news: map[nod.AgentID]notify.News{}}
	if f := d.File("notify.json"); s.memory == nil && f != "" {
		s.memory = file(f)
	}
	channels, err := c.openChannels(sender)
	if err != nil {
		return nil, err
	}
	people := c.people()
	if err := check(people, channels); err != nil {
		return nil, err
	}
	if s.ladder, err = c.resolveLadder(people); err != nil {
		return nil, err
	}
	for i := range people {
		for _, name := range people[i].Channels {
			t := find(channels, name)
			t.person = &people[i]
			s.targets = append(s.targets, t)
		}
	}
	return s, nil
}

// Run notifies people until ctx ends. Where several hubs share a log, only one of
// them does.
func (s *Surface) Run(ctx context.Context) { s.Hub.AsLeader("notify", s.run)(ctx) }

// run may run again later. It then forgets what it knew, because another hub has
// notified people in between.
func (s *Surface) run(ctx context.Context) {
	s.pending.Forget()
	s.mu.Lock()
	clear(s.news)
	s.mu.Unlock()
	s.recall(ctx)
	var all sync.WaitGroup
	all.Go(func() { s.follow(ctx) })
	for _, t := range s.targets {
		all.Go(func() { s.attend(ctx, t) })
		if l, ok := t.Sender.(notify.Listener); ok && t.Answer {
			all.Go(func() { l.Listen(ctx, s.chat(t)) })
		}
	}
	all.Wait()
}

// Health says which channel does not work, the first one if there are several.
func (s *Surface) Health() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.targets {
		if t.pulse.Dead() {
			return nod.Errorf(nod.Unavailable, "%s: %s", s.Say.Say(words.NoteDead, t.Name), s.Say.Say(problem(t.pulse.Last)))
		}
	}
	return nil
}

// find is the channel of a name, or nil.
func find(list []*target, name string) *target {
	i := slices.IndexFunc(list, func(t *target) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return list[i]
}

func (s *Surface) target(name string) *target { return find(s.targets, name) }

// wake makes every channel compare again.
func (s *Surface) wake() {
	for _, t := range s.targets {
		t.wake()
	}
}
