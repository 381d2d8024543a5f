package hub

import (
	"cmp"
	"context"
	"strings"
	"time"

	"nod"
)

// When a hub is missed, and how often one looks. A hub that restarts, or a database
// that does, is back long before: nobody should hear of it.
const (
	missedTime = 2 * time.Minute
	missTime   = 10 * time.Second
)

// present is this hub as others see it: it says at its start that it is here.
func (h *Hub) present(version string, now time.Time) nod.Event {
	return nod.Event{Kind: nod.HostChanged, Host: &nod.Host{
		Name: cmp.Or(h.host, h.name), Hub: h.name, Version: version, Up: true, Since: now,
	}}
}

// missOthers tells which hubs have gone, and which are back. What such a hub drives
// goes on or does not, nobody here can know; but people see that it is out of reach.
func (h *Hub) missOthers(ctx context.Context) {
	leaser, ok := h.store.(Leaser)
	if !ok {
		return
	}
	missing := map[string]time.Time{} // since when nobody holds the name of a hub
	tick := time.NewTicker(missTime)
	defer tick.Stop()
	for ctx.Err() == nil {
		h.callRoll(ctx, leaser, missing)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// callRoll looks once at every other hub that has been here.
func (h *Hub) callRoll(ctx context.Context, leaser Leaser, missing map[string]time.Time) {
	for _, seen := range h.others() {
		held, err := h.somebodyHolds(ctx, leaser, "hub/"+seen.Hub)
		if err != nil {
			return // a database that is away for long ends this hub's lead, and all have their time again
		}
		since, missed := missing[seen.Hub]
		switch {
		case held:
			delete(missing, seen.Hub)
			if !seen.Up {
				h.note(ctx, seen, true, 0)
			}
		case !missed:
			missing[seen.Hub] = time.Now()
		case seen.Up && time.Since(since) >= missedTime:
			h.note(ctx, seen, false, time.Since(since))
		}
	}
}

// others are the other hubs that have told of themselves, and those of a release
// before that have agents.
func (h *Hub) others() []nod.Host {
	all := map[string]nod.Host{}
	h.Look(func(s *nod.State) {
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
	delete(all, h.name)
	list := make([]nod.Host, 0, len(all))
	for _, x := range all {
		list = append(list, x)
	}
	return list
}

// somebodyHolds takes a lease for a moment, to see whether that can be done. Its
// owner, should it come in that moment, tries again a little later.
func (h *Hub) somebodyHolds(ctx context.Context, leaser Leaser, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	got, err := leaser.Lease(ctx, name, h.holder, time.Millisecond)
	if got && err == nil {
		h.giveBack(ctx, leaser, name)
	}
	return !got, err
}

// note writes down that a hub went, some time ago, or is back; unless it has told
// something else of itself since it was looked at.
func (h *Hub) note(ctx context.Context, seen nod.Host, up bool, ago time.Duration) {
	err := h.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
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
		h.log.Warn("a hub that went or came could not be noted", "hub", seen.Hub, "up", up, "err", err)
	}
}
