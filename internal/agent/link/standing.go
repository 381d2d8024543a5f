package link

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// standing records the state of a host whose own log was pruned further than it is
// known here.
func (d *Driver) standing(w http.ResponseWriter, r *http.Request, host string) error {
	var in wire.Standing
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	known, err := d.known(host, in.Log)
	if err != nil {
		return err
	}
	if known.Heard == in.After {
		if err := d.stand(r.Context(), host, in); err != nil {
			return err
		}
	}
	return httpd.JSON(w, http.StatusOK, wire.Heard{Heard: d.heardOf(host)})
}

// stand records what the host reports, and with the last part that everything else of it
// is over. Until then the known place in its log does not move: a part that comes again
// changes nothing.
func (d *Driver) stand(ctx context.Context, host string, in wire.Standing) error {
	var facts []hub.Fact
	past := recalled{}
	note := func(upto nod.Seq) error {
		err := d.Report(ctx, once(host, in.Log, in.After, upto, facts)...)
		facts = nil
		return err
	}
	for _, body := range in.Events {
		var e nod.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return nod.Errorf(nod.Invalid, "an event does not parse").Because(err)
		}
		switch {
		case e.Kind == nod.RequestRaised && e.Request != nil:
			if err := note(in.After); err != nil {
				return err
			}
			if d.heardOf(host) != in.After {
				return nil // another hub continues
			}
			if err := d.ask(ctx, host, *e.Request); err != nil {
				return err
			}
		case e.Kind == nod.AgentChanged && e.Agent != nil && !e.Agent.Alive() && !d.knows(host, e.Agent.ID):
			// It came and went: no record is needed.
		default:
			more, err := d.factsOf(ctx, host, &e, past)
			if err != nil {
				return err
			}
			facts = append(facts, more...)
		}
	}
	if !in.Done {
		return note(in.After)
	}
	over, err := d.over(ctx, host, in)
	if err != nil {
		return err
	}
	facts = append(over, facts...) // agents come last: what is settled moves them
	return note(in.Upto)
}

func (d *Driver) knows(host string, id nod.AgentID) (known bool) {
	d.State(func(s *nod.State) { known = theirs(s, host, id) })
	return known
}

// unremembered is why something of a host is over that it does not remember.
const unremembered = "its machine does not know it any more: the log there was pruned"

// over is what this hub has of a host and the host does not know: live agents, requests
// that are pending or whose decision had no effect, messages under way. What people
// ordered since the last order that the host took is on its way, and not over.
func (d *Driver) over(ctx context.Context, host string, in wire.Standing) (facts []hub.Fact, err error) {
	var head nod.Seq
	var agents []nod.AgentID
	var requests []nod.Request
	var messages []nod.Message
	alive, waits, said := setOf(in.Agents), setOf(in.Requests), setOf(in.Messages) // outside the lock: a link may name millions
	d.State(func(s *nod.State) {
		head = s.Seq
		for id, a := range s.Agents {
			if a.Alive() && theirs(s, host, id) && !alive[id] {
				agents = append(agents, id)
			}
		}
		for id, r := range s.Requests {
			if theirs(s, host, r.Agent.ID) && !waits[id] {
				requests = append(requests, *r)
			}
		}
		for _, m := range s.MessagesTo("") {
			if theirs(s, host, m.Agent) && !said[m.ID] {
				messages = append(messages, *m)
			}
		}
	})
	ordered, err := d.ordered(ctx, host, in.Orders, head)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		if unproven(&r) {
			facts = append(facts, onlyTheirs(host, r.Agent.ID, lost(&r)))
		}
	}
	for _, m := range messages {
		if !slices.Contains(ordered.messages, m.ID) {
			facts = append(facts, onlyTheirs(host, m.Agent, hub.UnheardFor(m.ID, unremembered, "")))
		}
	}
	for _, id := range agents {
		if !slices.Contains(ordered.talks, id) {
			facts = append(facts, onlyTheirs(host, id, hub.EndOf(id, unremembered)))
		}
	}
	return facts, nil
}

func setOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, x := range list {
		set[x] = true
	}
	return set
}

// unproven reports whether the outcome of a request is still open.
func unproven(r *nod.Request) bool {
	return !r.Settled() || r.Status == nod.Decided && !slices.ContainsFunc(proofs, func(step nod.Step) bool {
		_, ok := r.Receipt(step)
		return ok
	})
}

// lost settles a request that its host has forgotten: no agent waits for it, and there
// is no proof that a decision arrived.
func lost(r *nod.Request) hub.Fact {
	if r.Settled() {
		return hub.Prove(r.ID, nod.Receipt{Step: nod.StepDoubted, By: "link", Proof: unremembered})
	}
	return hub.Withdraw(r.ID, nod.Withdrawal{Reason: nod.WithdrawnSuperseded})
}

// ordered is what the orders of a host are about, between two places in this log.
func (d *Driver) ordered(ctx context.Context, host string, after, upto nod.Seq) (found struct {
	messages []nod.MessageID
	talks    []nod.AgentID
}, err error) {
	if after >= upto {
		return found, nil
	}
	for e, err := range d.Follow(ctx, after) {
		if err != nil && nod.CodeOf(err) == nod.Gone {
			return found, nil // then the host does not hear of them either
		}
		if err != nil {
			return found, err
		}
		switch {
		case !d.concerns(host, &e):
		case e.Kind == nod.MessageSaid && e.Message != nil:
			found.messages = append(found.messages, e.Message.ID)
		case e.Kind == nod.AgentChanged:
			found.talks = append(found.talks, e.AgentID)
		}
		if e.Seq >= upto {
			break
		}
	}
	return found, ctx.Err()
}
