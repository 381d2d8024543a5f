// Package notify notifies people of what waits for them, by every channel they
// configured, one rung of the ladder after the other, and takes notifications back
// when they are settled. A channel that does not work delays no other.
package notify

import (
	"context"
	"net/netip"
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
	own      func() []netip.Addr
	channels channels
	sent     sent
}

// New makes the surface, or says what in the configuration is wrong.
func New(c Config, d adapter.Deps, n Needs) (*Surface, error) { return open(c, d, n, channel.New) }

// newSender makes the sender of a channel: channel.New, except in tests.
type newSender func(channel.Settings, channel.Outside) (notify.Sender, error)

func open(c Config, d adapter.Deps, n Needs, sender newSender) (*Surface, error) {
	d.Fill()
	s := &Surface{
		Config: c, Deps: d, Needs: n, own: httpd.OwnAddresses,
		channels: channels{pending: hub.NewPendingList(d.Hub), news: map[nod.AgentID]notify.News{}},
	}
	s.sent = sent{memory: n.Shared, shared: n.Shared != nil, log: d.Log, channels: &s.channels}
	if f := d.File("notify.json"); n.Shared == nil && f != "" {
		s.sent.memory = file(f)
	}
	all, err := c.openChannels(sender)
	if err != nil {
		return nil, err
	}
	people := c.people()
	if err := check(people, all); err != nil {
		return nil, err
	}
	if s.channels.ladder, err = c.resolveLadder(people); err != nil {
		return nil, err
	}
	for i := range people {
		for _, name := range people[i].Channels {
			t := find(all, name)
			t.person = &people[i]
			s.channels.list = append(s.channels.list, t)
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
	s.channels.forget()
	s.sent.restore(ctx)
	var all sync.WaitGroup
	all.Go(func() { s.follow(ctx) })
	for _, t := range s.channels.list {
		all.Go(func() { s.attend(ctx, t) })
		if l, ok := t.Sender.(notify.Listener); ok && t.Answer {
			all.Go(func() { l.Listen(ctx, s.chat(t)) })
		}
	}
	all.Wait()
}

// Health says which channel does not work, the first one if there are several.
func (s *Surface) Health() error {
	if t, failure := s.channels.broken(); t != nil {
		return nod.Errorf(nod.Unavailable, "%s: %s", s.Say.Say(words.NoteDead, t.Name), s.Say.Say(problem(failure)))
	}
	return nil
}
