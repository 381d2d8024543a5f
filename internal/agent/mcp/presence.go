package mcp

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/sys/timers"
)

// presence counts who is there: the servers and calls of each agent, and the calls
// that wait for each request. A request without a waiting call is withdrawn after a
// while, and an agent that only this driver knows has ended then.
type presence struct {
	adapter.Deps
	link   hub.Link
	ended  func(nod.AgentID) // forgets what the driver remembers of an agent
	timing timing
	timers timers.Group

	mu      sync.Mutex
	waiting map[nod.RequestID]int
	agents  map[nod.AgentID]int
	leftAt  map[nod.AgentID]time.Time
}

// timing is how long a caller may be away.
type timing struct {
	local  time.Duration // a server on this machine
	remote time.Duration // a server elsewhere
	http   time.Duration // an agent without a server, after a call
}

func newPresence(d adapter.Deps, link hub.Link, ended func(nod.AgentID)) *presence {
	return &presence{
		Deps: d, link: link, ended: ended,
		timing:  timing{local: 5 * time.Second, remote: 2 * time.Minute, http: 30 * time.Minute},
		waiting: map[nod.RequestID]int{}, agents: map[nod.AgentID]int{}, leftAt: map[nod.AgentID]time.Time{},
	}
}

// resume gives the callers that waited when the hub last ended time to come back.
func (p *presence) resume() {
	requests, agents := map[nod.RequestID]bool{}, map[nod.AgentID]bool{} // true: on this machine
	p.link.State(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			if ours(r) && p.link.Held(r) {
				requests[r.ID] = local(s.Agents[r.Agent.ID])
			}
		}
		for _, a := range s.Agents {
			if a.Kind == Kind && a.Alive() && p.link.Here(a) {
				agents[a.ID] = local(a)
			}
		}
	})
	for id, near := range requests {
		p.withdrawLater(id, p.timeout(near))
	}
	for id, near := range agents {
		p.endLater(id, p.timeout(near))
	}
}

func (p *presence) timeout(local bool) time.Duration {
	if local {
		return p.timing.local
	}
	return p.timing.remote
}

// absenceLimit is how long an agent may be away before it counts as ended.
func (p *presence) absenceLimit(ctx context.Context) time.Duration {
	if lingers, _ := ctx.Value(httpKey{}).(bool); lingers {
		return p.timing.http
	}
	return p.timeout(isLocal(ctx))
}

// ensureAgent records the agent unless it is there. An agent of another driver stays
// unchanged, because that driver knows more about it.
func (p *presence) ensureAgent(ctx context.Context, id nod.AgentID, c server.Caller) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a != nil && a.Alive() {
			return nil
		} else if a != nil && a.Kind != Kind {
			return nil // it has ended; a late call does not revive it
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Kind, a.Host, a.Cwd, a.Hub = Kind, tidy(c.Host), tidy(c.Cwd), p.link.Hub()
			a.Name = nameOf(c)
			a.Process = &nod.Process{Local: isLocal(ctx)}
			a.Enter(nod.AgentWorking, now)
		})(s, now)
	}
}

// connect counts a server or a call as present until leave is called.
func (p *presence) connect(ctx context.Context, id nod.AgentID, c server.Caller) (leave func(), err error) {
	if err := p.link.Report(ctx, p.ensureAgent(ctx, id, c)); err != nil {
		return nil, err
	}
	p.locked(func() { p.agents[id]++ })
	return func() {
		last := false
		p.locked(func() {
			if p.agents[id]--; p.agents[id] == 0 {
				delete(p.agents, id)
				p.leftAt[id], last = p.Now(), true
			}
		})
		if last {
			p.endLater(id, p.absenceLimit(ctx))
		}
	}, nil
}

// touch is connect for a call that does not wait.
func (p *presence) touch(ctx context.Context, id nod.AgentID, c server.Caller) error {
	leave, err := p.connect(ctx, id, c)
	if err == nil {
		leave()
	}
	return err
}

// wait counts a call that waits for a request until stop is called.
func (p *presence) wait(ctx context.Context, id nod.RequestID) (stop func()) {
	p.locked(func() { p.waiting[id]++ })
	return func() {
		p.locked(func() {
			if p.waiting[id]--; p.waiting[id] == 0 {
				delete(p.waiting, id)
			}
		})
		p.withdrawLater(id, p.timeout(isLocal(ctx)))
	}
}

// waitsFor reports whether a call waits for a request.
func (p *presence) waitsFor(id nod.RequestID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[id] > 0
}

func (p *presence) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

// withdrawLater withdraws a request, unless its caller comes back in time.
func (p *presence) withdrawLater(id nod.RequestID, patience time.Duration) {
	select {
	case <-p.link.Settled(id):
		return
	default:
	}
	p.timers.After(patience, func() {
		if !p.waitsFor(id) {
			p.report(p.link.IfHeld(id, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost})))
		}
	})
}

// endLater ends an agent that only this driver knows, unless it comes back in time.
func (p *presence) endLater(id nod.AgentID, patience time.Duration) {
	p.timers.After(patience, func() {
		gone := true
		p.locked(func() {
			if gone = p.agents[id] == 0 && p.Now().Sub(p.leftAt[id]) >= patience; gone {
				delete(p.leftAt, id)
			}
		})
		if gone {
			p.ended(id)
			p.report(p.end(id))
		}
	})
}

func (p *presence) end(id nod.AgentID) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if a := s.Agents[id]; a == nil || a.Kind != Kind || !a.Alive() || !p.link.Here(a) {
			return nil
		}
		return hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentEnded, now)
			a.Tool, a.NeedsYou = "", ""
		})(s, now)
	}
}

func (p *presence) report(facts ...hub.Fact) {
	if err := p.link.Report(context.Background(), facts...); err != nil {
		p.Log.Warn("a fact was not recorded", "err", err)
	}
}
