package hub

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"nod"
)

// When a hub counts as gone, and how often the others are checked. A hub that
// restarts, or a database that does, is back long before, and is not worth a message.
const (
	goneTime  = 2 * time.Minute
	checkTime = 10 * time.Second
)

// presence is how hubs on one log know of each other: every hub keeps a lease in its
// name, and one of them, the leader, records which have gone and come back.
type presence struct {
	name   string // of this hub
	leases *hubLeases
	view   *published
	commit func(context.Context, ...plan) error
	log    *slog.Logger
}

func leaseOf(hub string) string { return "hub/" + hub }

// announce keeps the lease in this hub's name, and shares whether it has viewers,
// until ctx ends.
func (p *presence) announce(ctx context.Context, viewers *viewers) {
	tick := time.NewTicker(renewTime)
	defer tick.Stop()
	named := time.Now() // when the name was this hub's, the last time
	for ctx.Err() == nil {
		viewers.share(ctx, p.leases)
		if held, err := p.leases.store.Lease(ctx, leaseOf(p.name), p.leases.holder, leaseTime); held || err != nil {
			named = time.Now()
		} else if time.Since(named) > 2*leaseTime {
			p.log.Error("another hub on this log has the same name: both will drive the same agents. Give each a data directory or a host name of its own", "name", p.name)
			named = time.Now()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	p.leases.release(ctx, leaseOf(p.name))
}

// watch records which hubs have gone, and which are back; the leader's work. Whether
// the agents of such a hub go on is not known here, but people see that it is out of
// reach.
func (p *presence) watch(ctx context.Context) {
	missing := map[string]time.Time{} // since when a hub does not hold its name
	tick := time.NewTicker(checkTime)
	defer tick.Stop()
	for ctx.Err() == nil {
		p.check(ctx, missing)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// check looks once at every other hub that has been here.
func (p *presence) check(ctx context.Context, missing map[string]time.Time) {
	for _, seen := range p.others() {
		held, err := p.leases.heldElsewhere(ctx, leaseOf(seen.Hub))
		if err != nil {
			return // a database that is away for long ends this hub's lead, and every hub gets its full time again
		}
		since, missed := missing[seen.Hub]
		switch {
		case held:
			delete(missing, seen.Hub)
			if !seen.Up {
				p.record(ctx, seen, true, 0)
			}
		case !missed:
			missing[seen.Hub] = time.Now()
		case seen.Up && time.Since(since) >= goneTime:
			p.record(ctx, seen, false, time.Since(since))
		}
	}
}

// others are the other hubs that have recorded themselves, and those of an older
// release that have agents.
func (p *presence) others() []nod.Host {
	all := map[string]nod.Host{}
	p.view.look(func(s *nod.State) {
		for _, x := range s.HubList() {
			all[x.Hub] = *x
		}
		for _, a := range s.Agents {
			if _, known := all[a.Hub]; !known && a.Alive() && !strings.HasPrefix(a.Hub, Linked) {
				all[a.Hub] = nod.Host{Name: cmp.Or(a.Host, a.Hub), Hub: a.Hub, Up: true}
			}
		}
	})
	delete(all, "") // agents that no hub drives
	delete(all, p.name)
	list := make([]nod.Host, 0, len(all))
	for _, x := range all {
		list = append(list, x)
	}
	return list
}

// record records that a hub went, some time ago, or is back, unless the hub has
// recorded something else about itself since it was seen.
func (p *presence) record(ctx context.Context, seen nod.Host, up bool, ago time.Duration) {
	err := p.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		if known := s.HubNamed(seen.Hub); known != nil && (known.Up != seen.Up || !known.Since.Equal(seen.Since)) {
			return nil, nil
		}
		x := seen
		x.Up, x.Since = up, now.Add(-ago)
		events := []nod.Event{{Kind: nod.HostChanged, Host: &x}}
		for _, link := range s.HostList() {
			if !up && link.Visits(x.Hub) { // it went with the hub, or it would be here by another
				gone := *link
				gone.Up, gone.Since = false, x.Since
				events = append(events, nod.Event{Kind: nod.HostChanged, Host: &gone})
			}
		}
		return events, nil
	})
	if err != nil && ctx.Err() == nil {
		p.log.Warn("a hub that went or came could not be noted", "hub", seen.Hub, "up", up, "err", err)
	}
}
