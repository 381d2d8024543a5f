package link

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

func (d *Driver) hello(w http.ResponseWriter, r *http.Request, host string) error {
	var in wire.Hello
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	in.Log = nod.Fold(nod.OneLine(in.Log), 80)
	another := false
	err := d.Report(r.Context(), changed(host, func(h *nod.Host) {
		// Two machines with one token would each be taken for the other with a new log.
		if another = h.Up && h.Log != "" && h.Log != in.Log; another {
			return
		}
		if version := nod.Fold(nod.OneLine(in.Version), 40); h.Version != version {
			h.Version, h.Assistants = version, nil // another release may offer no assistants
		}
		if h.Log != in.Log { // a new log, or the old one was lost: nothing of it is known
			h.Log, h.Heard = in.Log, 0
		}
	}))
	if err == nil && another {
		err = nod.Errorf(nod.Conflict, "another machine is linked as %s: every machine needs a token of its own, which `nod hosts add NAME` makes. If it is this one with a new data directory, it is let in as soon as the old link is gone", host)
	}
	if err != nil {
		return err
	}
	out := wire.Welcome{Decided: []nod.Request{}}
	d.State(func(s *nod.State) {
		out.Head = s.Seq
		out.Heard = s.Hosts[host].Heard
		told := map[nod.RequestID]bool{} // however often it is named
		for _, id := range in.Pending {
			if told[id] {
				continue
			}
			told[id] = true
			if q, ok := s.Requests[id]; ok && q.Status == nod.Decided && theirs(s, host, q.Agent.ID) {
				out.Decided = append(out.Decided, *q)
			}
		}
	})
	return httpd.JSON(w, http.StatusOK, out)
}

func (d *Driver) facts(w http.ResponseWriter, r *http.Request, host string) error {
	var in wire.Facts
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	known, err := d.known(host, in.Log)
	if err != nil {
		return err
	}
	if known.Heard != in.After {
		// Sent twice, or to another hub of this log meanwhile: continue from there.
		return httpd.JSON(w, http.StatusOK, wire.Heard{Heard: known.Heard})
	}
	if err := d.takeIn(r.Context(), host, in); err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, wire.Heard{Heard: d.heardOf(host)})
}

// takeIn records events; a request is asked in a commit of its own, with everything
// before it. A host that timed out at one hub sends the same to another, perhaps at this
// very moment: every commit holds only if the host's log is still known up to the same
// place.
func (d *Driver) takeIn(ctx context.Context, host string, in wire.Facts) error {
	if len(in.Failed) > 0 {
		if err := d.Report(ctx, failures(host, in.Failed)...); err != nil {
			return err
		}
	}
	var facts []hub.Fact
	past := recalled{}
	known, at := in.After, in.After
	for _, body := range in.Events {
		var e nod.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return nod.Errorf(nod.Invalid, "an event does not parse").Because(err)
		}
		if e.Seq <= at || e.Seq > in.Upto {
			return nod.Errorf(nod.Invalid, "event %d is out of its place", e.Seq)
		}
		at = e.Seq
		if e.Kind != nod.RequestRaised {
			more, err := d.factsOf(ctx, host, &e, past)
			if err != nil {
				return err
			}
			facts = append(facts, more...)
			continue
		}
		if e.Request == nil {
			continue
		}
		if err := d.Report(ctx, once(host, in.Log, known, e.Seq-1, facts)...); err != nil {
			return err
		}
		facts, known = nil, e.Seq-1
		if d.heardOf(host) != known {
			return nil // another hub continues
		}
		if err := d.ask(ctx, host, *e.Request); err != nil {
			return err
		}
	}
	return d.Report(ctx, once(host, in.Log, known, in.Upto, facts)...)
}

// failures fail messages that are in no other log; failing one twice does no harm.
func failures(host string, list []nod.Message) (facts []hub.Fact) {
	for _, m := range list {
		facts = append(facts, forTheirs(host, m.ID, hub.UnheardFor(m.ID, m.Problem, m.Trouble)))
	}
	return facts
}

// known is the record of a host that has said hello with this log.
func (d *Driver) known(host, log string) (known nod.Host, err error) {
	d.State(func(s *nod.State) {
		if h, ok := s.Hosts[host]; ok {
			known = *h
		}
	})
	if known.Log != log {
		err = nod.Errorf(nod.Conflict, "say hello first")
	}
	return known, err
}

// heardOf is how far the log of a host is known.
func (d *Driver) heardOf(host string) (upto nod.Seq) {
	d.State(func(s *nod.State) {
		if h, ok := s.Hosts[host]; ok {
			upto = h.Heard
		}
	})
	return upto
}

// ask raises a request in the name of an agent of that host.
func (d *Driver) ask(ctx context.Context, host string, r nod.Request) error {
	mine, much := false, false
	d.State(func(s *nod.State) {
		mine = theirs(s, host, r.Agent.ID)
		much = mine && s.Requests[r.ID] == nil && overloads(s, host, &r)
	})
	if !mine || much || !named(string(r.ID)) {
		d.Log.Warn("a link asked in the name of an agent that is not its host's, or too much", "host", host, "agent", r.Agent.ID, "too much", much)
		return nil
	}
	// It may have been asked before: then only our answer was lost. The state soon
	// forgets a settled request, the log does not. A link must not repeat a request of
	// another agent.
	old, err := d.Recall(ctx, r.ID)
	switch {
	case nod.CodeOf(err) == nod.Unavailable && err != nil:
		return err
	case err == nil && old.ID == r.ID && (old.Settled() || old.Agent.ID != r.Agent.ID):
		return nil
	}
	r.Agent.Host = host
	r.Status, r.Decision, r.Withdrawal, r.Receipts = nod.Pending, nil, nil, nil
	_, err = d.Ask(ctx, r)
	return err
}

// theirs reports whether an agent came through the link of that host: neither one of
// this hub nor one of another host, whatever name it has.
func theirs(s *nod.State, host string, id nod.AgentID) bool {
	a, ok := s.Agents[id]
	return ok && a.Hub == hub.Linked+host
}

// onlyTheirs keeps a fact from touching agents of others.
func onlyTheirs(host string, id nod.AgentID, f hub.Fact) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if !theirs(s, host, id) {
			return nil
		}
		return f(s, now)
	}
}

// once lets facts count only while a host's log is known up to a place, and moves that
// place.
func once(host, log string, known, upto nod.Seq, facts []hub.Fact) []hub.Fact {
	list := make([]hub.Fact, 0, len(facts)+1)
	for _, f := range append(facts, changed(host, func(h *nod.Host) { h.Heard = upto })) {
		list = append(list, func(s *nod.State, now time.Time) []nod.Event {
			if h, ok := s.Hosts[host]; !ok || h.Log != log || h.Heard != known {
				return nil
			}
			return f(s, now)
		})
	}
	return list
}

// changed changes a host's record; without a difference nothing is recorded.
func changed(host string, change func(*nod.Host)) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		h := nod.Host{Name: host, Since: now}
		before, known := s.Hosts[host]
		if known {
			h = *before
		}
		change(&h)
		if known && reflect.DeepEqual(h, *before) {
			return nil
		}
		return []nod.Event{{Kind: nod.HostChanged, Host: &h}}
	}
}
