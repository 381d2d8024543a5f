// Package notify tells people what waits for them, by every channel they
// configured, one rung of the ladder after the other, and takes it back when
// it is settled. It follows the log; a channel that does not work makes nobody
// else late.
package notify

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // quiet hours are by a person's clock, also where the system knows no zones

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/net/notify"
)

// Channel is one way to one person.
type Channel struct {
	Name    string // as people and the ladder call it
	Kind    string // ntfy, telegram, …; the door that the log names
	Content notify.Content
	Answer  bool // notes have buttons that answer, where that is good enough
	Sender  notify.Sender
}

// Options are what the surface is built on.
type Options struct {
	Hub       *hub.Hub
	People    []notify.Person // none: one, who has all channels in their order
	Channels  []Channel
	Ladder    notify.Ladder // nil: everybody in order, each by each of their channels
	Wait      time.Duration // of a rung, without a ladder; 0: notify.DefaultWait
	Public    func() string // the hub's address as phones call it; nil or "": notes have no links
	Proof     []string      // levels of risk that take a passkey
	DoneAfter time.Duration // how long an agent works before its end is news; 0: notify.DefaultDoneAfter
	Memory    Memory        // keeps what is shown over a restart; nil: nothing is kept
	Here      bool          // links may be used on this machine, or through a proxy on it
	Own       func() []netip.Addr
	Now       func() time.Time
	Log       *slog.Logger
}

// Surface is the whole of it.
type Surface struct {
	Options
	tickets notify.Tickets
	targets []*target
	saving  sync.Mutex

	pending *hub.PendingList

	mu   sync.Mutex
	news map[nod.AgentID]notify.News
}

// New makes a surface, or says what in the configuration does not fit together.
// Nothing happens before Run.
func New(o Options) (*Surface, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Own == nil {
		o.Own = httpd.OwnAddresses
	}
	if o.DoneAfter == 0 {
		o.DoneAfter = notify.DefaultDoneAfter
	}
	if len(o.People) == 0 && len(o.Channels) > 0 {
		o.People = []notify.Person{alone(o.Channels)}
	}
	s := &Surface{Options: o, pending: hub.NewPendingList(o.Hub), news: map[nod.AgentID]notify.News{}}
	if err := s.check(); err != nil {
		return nil, err
	}
	if o.Ladder == nil {
		s.Ladder = notify.Climb(o.People, o.Wait)
	}
	var err error
	if s.Ladder, err = s.Ladder.Resolve(o.People); err != nil {
		return nil, err
	}
	for i := range o.People {
		for _, name := range o.People[i].Channels {
			c := slices.IndexFunc(o.Channels, func(c Channel) bool { return c.Name == name })
			s.targets = append(s.targets, newTarget(&o.People[i], o.Channels[c]))
		}
	}
	return s, nil
}

// alone is the person of a hub that nobody shares.
func alone(channels []Channel) notify.Person {
	p := notify.Person{Name: "you", News: true}
	for _, c := range channels {
		p.Channels = append(p.Channels, c.Name)
	}
	return p
}

// check holds the rule that a channel is one person's: a note has one language,
// one night, one who answers.
func (s *Surface) check() error {
	owner := map[string]string{}
	for _, p := range s.People {
		if p.Name == "" {
			return nod.Errorf(nod.Invalid, "a person who is to be told needs a name")
		}
		if p.Quiet != nil {
			if err := p.Quiet.Check(); err != nil {
				return nod.Errorf(nod.Invalid, "quiet hours of %s: %s", p.Name, err)
			}
		}
		for _, name := range p.Channels {
			if !slices.ContainsFunc(s.Channels, func(c Channel) bool { return c.Name == name }) {
				return nod.Errorf(nod.Invalid, "%s is to be told by %q, and there is no such channel", p.Name, name)
			}
			if other, taken := owner[name]; taken {
				return nod.Errorf(nod.Invalid, "the channel %q is %s's and %s's: give each their own, or make one person of them", name, other, p.Name)
			}
			owner[name] = p.Name
		}
	}
	seen := map[string]bool{}
	for _, c := range s.Channels {
		switch {
		case seen[c.Name]:
			return nod.Errorf(nod.Invalid, "there are two channels called %q", c.Name)
		case owner[c.Name] == "":
			return nod.Errorf(nod.Invalid, "the channel %q is nobody's: name it in the channels of a person", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// Run tells people until ctx ends. Where several hubs share a log it may run again
// later, and begins anew: another hub has told in between.
func (s *Surface) Run(ctx context.Context) {
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

func (s *Surface) target(channel string) *target {
	i := slices.IndexFunc(s.targets, func(t *target) bool { return t.Name == channel })
	if i < 0 {
		return nil
	}
	return s.targets[i]
}

// wake makes every channel look again.
func (s *Surface) wake() {
	for _, t := range s.targets {
		t.wake()
	}
}
