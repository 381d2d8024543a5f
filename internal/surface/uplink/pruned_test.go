package uplink_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// pruned is a store without the beginning of its log.
type pruned struct {
	*mem.Store
	base atomic.Uint64
}

func (p *pruned) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if after < nod.Seq(p.base.Load()) {
		return nil, nod.Errorf(nod.Gone, "the log begins later")
	}
	return p.Store.Read(ctx, after, limit)
}

// prune removes everything up to a sequence number, as `nod store prune` does while the
// link is not running.
func (p *pair) prune(store *mem.Store, upto nod.Seq) {
	p.Helper()
	p.Close()
	short := &pruned{Store: store}
	short.base.Store(uint64(upto))
	p.Options = hubtest.Options{Store: short}
	p.Open()
}

func ended(id nod.AgentID) func(*nod.State) bool {
	return func(s *nod.State) bool { return s.Agents[id] != nil && !s.Agents[id].Alive() }
}

// A log that lost its beginning is still the same log: the link continues where it was.
func TestPrunedLogIsTheSameLog(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request", status("request-1", nod.Pending))
	p.here()
	p.Stop()
	p.prune(p.Options.Store.(*mem.Store), 1)
	p.start()
	p.ask("agent-1", "request-2")
	p.until(p.far, "the next request", status("request-2", nod.Pending))
}

// More of the log is gone than the hub knew: it gets the state once, and everything
// continues from there.
func TestMoreIsPrunedThanTheHubKnew(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for _, id := range []nod.AgentID{"agent-1", "agent-2", "agent-3"} {
		p.agent(id)
	}
	p.ask("agent-1", "request-1")
	p.ask("agent-1", "still-open")
	p.ask("agent-3", "its-last")
	p.until(p.far, "three requests", func(s *nod.State) bool { return len(s.PendingOf("")) == 3 })
	p.here()
	p.say("message-1", "hello")
	p.until(p.Hub, "the words", underway("message-1"))
	p.Stop()

	if _, err := p.Hub.Desk(person("bert")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		t.Fatal(err)
	}
	p.Report(hub.Prove("request-1", nod.Receipt{Step: nod.StepDelivered, By: "hook"}), hub.Heard("message-1"), hub.EndOf("agent-3", "it is over"))
	p.Report(hub.Said(nod.Turn{Agent: "agent-2", Role: nod.TurnAgent, Text: "lost with the log"}))
	p.Report(hub.Agent("agent-2", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentIdle, now) }))
	p.agent("agent-4")
	p.ask("agent-4", "request-4")
	p.agent("agent-5")
	p.Report(hub.EndOf("agent-5", "came and went"))
	p.say("message-2", "said meanwhile")
	head, _ := p.Hub.Head()
	p.prune(p.Options.Store.(*mem.Store), head)
	p.start()

	p.until(p.far, "what waits now", status("request-4", nod.Pending))
	p.until(p.far, "what was answered", status("request-1", nod.Withdrawn))
	p.until(p.far, "the end of an agent", ended("agent-3"))
	p.until(p.far, "that words were heard", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Delivered })
	p.until(p.Hub, "what was said meanwhile", underway("message-2"))
	p.until(p.far, "that all is told", func(s *nod.State) bool { return s.Hosts["laptop"].Heard >= head })
	p.far.Look(func(s *nod.State) {
		if w := s.Requests["request-1"].Withdrawal; w.Reason != nod.WithdrawnHost || w.Detail != "bert" || w.Outcome != nod.WasDenied {
			t.Errorf("request-1: %+v", w)
		}
		if r := s.Requests["its-last"]; r.Status != nod.Withdrawn {
			t.Errorf("of an agent that ended: %s", r.Status)
		}
		if r := s.Requests["still-open"]; r.Status != nod.Pending || s.Agents["agent-1"].State != nod.AgentWaiting || s.Agents["agent-2"].State != nod.AgentIdle {
			t.Errorf("%s, %s, %s", r.Status, s.Agents["agent-1"].State, s.Agents["agent-2"].State)
		}
		if m := s.Messages["message-2"]; m.Status != nod.Queued {
			t.Errorf("on its way: %s %s", m.Status, m.Problem)
		}
		if s.Agents["agent-5"] != nil {
			t.Error("an agent that came and went is news")
		}
	})
	p.Stop()
	p.start()
	p.ask("agent-1", "request-6")
	p.until(p.far, "the next request", status("request-6", nod.Pending))
	if n := p.count(func(e *nod.Event) bool { return e.Kind == nod.RequestRaised }); n != 5 {
		t.Errorf("five requests were raised %d times", n)
	}
}

// count is how many events of the log elsewhere match.
func (p *pair) count(such func(*nod.Event) bool) (n int) {
	head, _ := p.far.Head()
	for e := range p.far.Link("test").Follow(p.Context(), 0) {
		if such(&e) {
			n++
		}
		if e.Seq >= head {
			break
		}
	}
	return n
}

// The machine lost the log that the hub knows. Nothing of it stays open for ever: a request
// is withdrawn, a decision doubted, a message failed.
func TestMachineThatLostItsLog(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.agent("agent-2")
	p.ask("agent-1", "request-1")
	p.ask("agent-1", "request-2")
	p.until(p.far, "both requests", func(s *nod.State) bool { return len(s.PendingOf("")) == 2 })
	p.here()
	p.say("message-1", "hello")
	p.until(p.Hub, "the words", underway("message-1"))
	p.Stop()
	if _, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-2", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	// An empty log, pruned too, which keeps the name that is in the notes.
	other := mem.New()
	p.prune(other, 0)
	p.agent("agent-2")
	head, _ := p.Hub.Head()
	p.prune(other, head)
	p.start()
	p.until(p.far, "the end of the agent", ended("agent-1"))
	p.far.Look(func(s *nod.State) {
		if r := s.Requests["request-1"]; r.Status != nod.Withdrawn {
			t.Errorf("request-1 is %s", r.Status)
		}
		if _, ok := s.Requests["request-2"].Receipt(nod.StepDoubted); !ok {
			t.Errorf("request-2: %+v", s.Requests["request-2"].Receipts)
		}
		if m := s.Messages["message-1"]; m.Status != nod.Failed {
			t.Errorf("message-1 is %s", m.Status)
		}
		if !s.Agents["agent-2"].Alive() {
			t.Error("an agent that is known there was ended")
		}
	})
	p.ask("agent-2", "request-3")
	p.until(p.far, "the next request", status("request-3", nod.Pending))
}

// A hub of the previous release cannot take a state: the link says so, tries again, and
// continues when that hub is updated. A machine that was never linked has a pruned log
// too.
func TestOldHubCannotTakeAState(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.Stop()
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	if err := os.Remove(filepath.Join(p.data, "link.json")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	head, _ := p.Hub.Head()
	p.prune(p.Options.Store.(*mem.Store), head)
	p.old.Store(true)
	p.start()
	p.awaitHealth("too old to be told")
	p.old.Store(false)
	p.until(p.far, "the request", status("request-1", nod.Pending))
	p.far.Look(func(s *nod.State) {
		if strings.TrimSpace(s.Hosts["laptop"].Log) == "" {
			t.Error("its log has no name")
		}
	})
}
