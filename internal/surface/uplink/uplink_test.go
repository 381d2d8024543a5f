package uplink_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/uplink"
)

func TestDecisionElsewhereIsTheDecisionHere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request elsewhere", status("request-1", nod.Pending))
	p.until(p.far, "that the host is here", func(s *nod.State) bool { return s.Hosts["laptop"].Up })
	p.far.Look(func(s *nod.State) {
		a := s.Agents["agent-1"]
		if a.Host != "laptop" || a.Process != nil || a.State != nod.AgentWaiting || !s.Hosts["laptop"].Up {
			t.Errorf("elsewhere: %+v, %+v", a, s.Hosts["laptop"])
		}
	})
	if _, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	p.until(p.Hub, "the decision here", status("request-1", nod.Decided))
	p.Hub.Look(func(s *nod.State) {
		if d := s.Requests["request-1"].Decision; d.By != "anna" || d.Via != "web" || d.Verdict != nod.VerdictAllow {
			t.Errorf("decided %+v", d)
		}
	})
	// The hook here takes it, and the hub elsewhere sees that.
	if err := p.Hub.Link("test").Report(t.Context(), hub.Prove("request-1", nod.Receipt{Step: nod.StepDelivered, By: "hook"})); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "the receipt", func(s *nod.State) bool { _, ok := s.Requests["request-1"].Receipt(nod.StepDelivered); return ok })
	p.far.Look(func(s *nod.State) {
		if _, overruled := s.Requests["request-1"].Receipt(nod.StepOverruled); overruled {
			t.Error("its own decision overruled it")
		}
	})
}

func TestAnswerHereComesFirst(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request elsewhere", status("request-1", nod.Pending))
	if _, err := p.Hub.Desk(person("bert")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "its withdrawal", status("request-1", nod.Withdrawn))
	p.far.Look(func(s *nod.State) {
		if w := s.Requests["request-1"].Withdrawal; w.Reason != nod.WithdrawnHost || w.Outcome != nod.WasDenied || w.Detail != "bert" {
			t.Errorf("%+v", w)
		}
	})
	_, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictAllow})
	if nod.CodeOf(err) != nod.Conflict {
		t.Errorf("a late answer: %v", err)
	}
}

// While the connection is down both sides go on; afterwards each knows what the other did,
// and what had no effect says so.
func TestReconnect(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	for i := range 3 {
		p.ask("agent-1", nod.RequestID("before-"+strconv.Itoa(i)))
	}
	p.until(p.far, "three requests", func(s *nod.State) bool { return len(s.PendingOf("")) == 3 })
	p.partition(true)
	p.awaitHealth("cannot be reached")
	decide := func(h *hub.Hub, who, id string, v nod.Verdict) {
		t.Helper()
		if _, err := h.Desk(person(who)).Decide(t.Context(), nod.RequestID(id), nod.Answer{Verdict: v}); err != nil {
			t.Fatal(err)
		}
	}
	decide(p.far, "anna", "before-0", nod.VerdictAllow)
	decide(p.Hub, "bert", "before-1", nod.VerdictAllow)
	decide(p.far, "anna", "before-2", nod.VerdictAllow)
	decide(p.Hub, "bert", "before-2", nod.VerdictDeny)
	p.ask("agent-1", "meanwhile-answered")
	decide(p.Hub, "bert", "meanwhile-answered", nod.VerdictDeny)
	p.ask("agent-1", "meanwhile-open")
	p.partition(false)
	p.awaitHealth("")

	p.until(p.Hub, "what was decided elsewhere", status("before-0", nod.Decided))
	p.until(p.far, "what was decided here", status("before-1", nod.Withdrawn))
	p.until(p.far, "what still waits", status("meanwhile-open", nod.Pending))
	p.until(p.far, "that it was overruled", func(s *nod.State) bool {
		_, ok := s.Requests["before-2"].Receipt(nod.StepOverruled)
		return ok
	})
	p.far.Look(func(s *nod.State) {
		if _, ok := s.Requests["meanwhile-answered"]; ok {
			t.Error("what nobody needs to answer rang elsewhere")
		}
	})
	p.Hub.Look(func(s *nod.State) {
		if d := s.Requests["before-2"].Decision; d.By != "bert" || d.Verdict != nod.VerdictDeny {
			t.Errorf("here: %+v", d)
		}
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request", status("request-1", nod.Pending))
	p.Stop()
	if err := p.Hub.Link("test").Report(t.Context(), hub.Said(nod.Turn{Agent: "agent-1", Role: nod.TurnAgent, Text: "done once"})); err != nil {
		t.Fatal(err)
	}
	if _, err := p.far.Desk(person("anna")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.far.Desk(person("anna")).Say(t.Context(), nod.Message{ID: "message-1", Agent: "agent-1", Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	p.start()
	p.until(p.Hub, "the decision", status("request-1", nod.Decided))
	p.until(p.Hub, "the words", func(s *nod.State) bool { return s.Messages["message-1"] != nil })
	if err := p.Hub.Link("test").Report(t.Context(), hub.Heard("message-1")); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "that they were heard", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Delivered })
	n := 0
	head, _ := p.far.Head()
	for e := range p.far.Link("test").Follow(t.Context(), 0) {
		if e.Turn != nil && e.Turn.Text == "done once" {
			n++
		}
		if e.Seq == head {
			break
		}
	}
	if n != 1 {
		t.Errorf("the turn was told %d times", n)
	}
}

func TestOrdersReachTheAgent(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", func(s *nod.State) bool { return s.Agents["agent-1"] != nil })
	if _, err := p.far.Desk(person("anna")).StopAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.until(p.Hub, "the order to stop", func(s *nod.State) bool { return s.Agents["agent-1"].Stopping != nil })
	// A file that does not exist: the message fails, and says so.
	m := nod.Message{ID: "message-1", Agent: "agent-1", Text: "look", Files: []nod.Attachment{{ID: "a", Name: "a.png", Path: "/nowhere/a.png"}}}
	if _, err := p.far.Desk(person("anna")).Say(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "the failure", func(s *nod.State) bool { return s.Messages["message-1"].Status == nod.Failed })
}

// A link acts only for its own host: it cannot touch agents of the hub or of another
// host, and its token opens nothing else.
func TestLinkActsOnlyForItsHost(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	own := p.far.Link("test")
	err := own.Report(t.Context(), hub.Agent("agent-1", func(a *nod.Agent, now time.Time) {
		a.Name, a.Host, a.Process = "of the hub", "laptop", &nod.Process{PID: 1, Local: true} // even under the same name
		a.Enter(nod.AgentWorking, now)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.Ask(t.Context(), nod.Request{ID: "request-1", Agent: nod.AgentRef{ID: "agent-1"}, Kind: nod.KindApproval, Title: "Run ls"}); err != nil {
		t.Fatal(err)
	}
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	if _, err := p.Hub.Desk(person("mallory")).Decide(t.Context(), "request-1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	p.agent("agent-2")
	p.until(p.far, "an agent of the host", func(s *nod.State) bool { return s.Agents["agent-2"] != nil })
	p.far.Look(func(s *nod.State) {
		if s.Agents["agent-1"].Name != "of the hub" || s.Requests["request-1"].Status != nod.Pending {
			t.Errorf("%+v %+v", s.Agents["agent-1"], s.Requests["request-1"])
		}
	})
	if err := p.credentials.Revoke(t.Context(), p.token.ID); err != nil {
		t.Fatal(err)
	}
	p.until(p.far, "that the host is gone", func(s *nod.State) bool { return !s.Hosts["laptop"].Up })
}

func TestUnreadableNotesDoNotResetTheLink(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "link.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var hello atomic.Bool
	u := uplink.New(uplink.Config{Hub: "there"}, deps(hubtest.New(t, hubtest.Options{}).Hub, data), uplink.Needs{Far: &dead{&hello}, Newer: &dead{&hello}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	u.Run(ctx)
	if hello.Load() {
		t.Error("it connected without knowing which orders were followed")
	}
}
