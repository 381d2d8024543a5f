package demo

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func TestThreeKindsWaitAfterTwoSeconds(t *testing.T) {
	play(t, func(s *rig) {
		s.after(2 * time.Second)
		kinds := map[nod.RequestKind]bool{}
		for _, r := range s.waiting() {
			kinds[r.Kind] = true
			if r.Agent.Kind != Kind || r.Agent.Host != "demo" || !strings.HasSuffix(r.Agent.Name, " (demo)") || !strings.HasPrefix(r.Agent.Cwd, "/demo/") {
				s.Errorf("not clearly a demo: %+v", r.Agent)
			}
		}
		if len(kinds) < 3 {
			s.Errorf("only %v wait", kinds)
		}
		s.after(23 * time.Second)
		for _, r := range s.waiting() {
			kinds[r.Kind] = true
		}
		if len(kinds) != 4 || len(s.waiting()) != 5 {
			s.Errorf("%d wait, of the kinds %v", len(s.waiting()), kinds)
		}
		if shop := s.agent("web-shop"); len(shop.Subagents) != 1 || shop.State != nod.AgentWaiting || !strings.HasPrefix(shop.Tool, "Edit: ") {
			s.Errorf("%+v", shop)
		}
	})
}

func TestTheDemoEndsAtOnceWithItsAgents(t *testing.T) {
	play(t, func(s *rig) {
		s.after(10 * time.Second)
		began := time.Now()
		s.end()
		<-s.over
		if took := time.Since(began); took != 0 {
			s.Errorf("it took %s to end", took)
		}
		s.hub.Look(func(st *nod.State) {
			for _, a := range st.Agents {
				if a.Alive() {
					s.Errorf("%s is left behind, %s", a.Name, a.State)
				}
			}
		})
		if n := len(s.waiting()); n != 0 {
			s.Errorf("%d requests are left behind", n)
		}
	})
}

func TestACrashLeavesNothingBehind(t *testing.T) {
	store := mem.New()
	leave := func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h, err := hub.Open(t.Context(), store, hub.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = h.Close(context.Background()) }()
			link := h.Link(Kind)
			old := hub.Agent("demo-old", func(a *nod.Agent, now time.Time) { a.Kind = Kind; a.Enter(nod.AgentWorking, now) })
			own := hub.Agent("real", func(a *nod.Agent, now time.Time) { a.Kind = "claude"; a.Enter(nod.AgentWorking, now) })
			if err := link.Report(t.Context(), old, own); err != nil {
				t.Fatal(err)
			}
			for _, id := range []nod.AgentID{"demo-old", "real"} {
				if _, err := link.Ask(t.Context(), nod.Request{ID: nod.RequestID(id + "-r"), Kind: nod.KindApproval, Agent: nod.AgentRef{ID: id}}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	check := func(s *rig) {
		s.hub.Look(func(st *nod.State) {
			if st.Agents["demo-old"].Alive() || st.Requests["demo-old-r"].Status != nod.Withdrawn {
				s.Error("the old agent still waits")
			}
			if !st.Agents["real"].Alive() || st.Requests["real-r"].Status != nod.Pending {
				s.Error("a real agent was touched")
			}
		})
	}
	leave(t)
	playWith(t, store, nil, func(s *rig) {
		s.after(2 * time.Second)
		check(s)
		if len(s.waiting()) != 5 { // the real one's and four of the demo
			s.Errorf("%d wait", len(s.waiting()))
		}
	})
}

func TestTwoHoursAloneStayCalm(t *testing.T) {
	play(t, func(s *rig) {
		for range 2 * 3600 / 5 {
			s.after(5 * time.Second)
			if n := len(s.waiting()); n < 3 || n > 5 {
				s.Fatalf("%d wait", n)
			}
		}
		if n := len(s.log()); n > 200 {
			s.Errorf("nothing happened, and it is %d events long", n)
		}
		var terminal bool
		for _, e := range s.log() {
			terminal = terminal || e.Kind == nod.RequestWithdrawn && e.Withdrawal.Reason == nod.WithdrawnTerminal
		}
		if !terminal {
			s.Error("nothing was ever answered in the terminal")
		}
	})
}

// somebody answers everything that waits, in every way there is.
func somebody(s *rig, round int) {
	for i, r := range s.waiting() {
		var a nod.Answer
		switch turn := (round + i) % 6; {
		case turn == 5:
			a = nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"}
		case turn == 4 && round%5 == 0:
			a = nod.Answer{Verdict: nod.VerdictDeny, Stop: true}
		case r.Kind == nod.KindApproval || r.Kind == nod.KindPlan:
			a = nod.Answer{Verdict: nod.VerdictAllow}
		default:
			a = nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{}}
			for _, q := range r.Questions {
				a.Answers[q.Key()] = nod.Reply{Text: "1"}
			}
		}
		s.decide(r, a)
	}
}

func TestTwoHoursInCompanyStayBounded(t *testing.T) {
	play(t, func(s *rig) {
		seen := map[nod.AgentState]bool{}
		asked, quiet, longest := 0, time.Duration(0), time.Duration(0)
		threads := 0 // what runs, when it has found its way
		for round := range 2 * 3600 / 7 {
			s.after(7 * time.Second)
			if n := runtime.NumGoroutine(); round < 100 {
				threads = max(threads, n)
			} else if n > threads+4 {
				s.Fatalf("%d goroutines, at first there were %d", n, threads)
			}
			if round%20 == 0 {
				s.say(s.agent("docs").ID, []string{"a plan", "a question", "a form", "hello"}[round/20%4], "")
			}
			n := len(s.waiting())
			if asked += n; n > 6 { // five of the story, one of a wish
				s.Fatalf("%d wait", n)
			}
			if quiet += 7 * time.Second; n > 0 {
				quiet = 0
			}
			longest = max(longest, quiet)
			for _, role := range []string{"web-shop", "infra", "docs"} {
				seen[s.agent(role).State] = true
			}
			somebody(s, round)
		}
		if asked < 150 || longest > 4*time.Minute {
			s.Errorf("%d requests in two hours, once nothing for %s", asked, longest)
		}
		for _, state := range []nod.AgentState{nod.AgentIdle, nod.AgentWorking, nod.AgentWaiting, nod.AgentLimited, nod.AgentError} {
			if !seen[state] {
				s.Errorf("nobody was ever %s", state)
			}
		}
		s.after(30 * time.Second) // for the last effects
		proven(s)
		if perHour := len(s.log()) / 2; perHour > 4000 {
			s.Errorf("%d events in an hour", perHour)
		}
	})
}

// proven checks that every decision was delivered and applied, once each.
func proven(s *rig) {
	s.Helper()
	decided, receipts := []nod.RequestID{}, map[nod.RequestID][]nod.Step{}
	for _, e := range s.log() {
		switch e.Kind {
		case nod.RequestDecided:
			decided = append(decided, e.RequestID)
		case nod.RequestReceipt:
			receipts[e.RequestID] = append(receipts[e.RequestID], e.Receipt.Step)
		}
	}
	doubts := 0
	for _, id := range decided {
		want := []nod.Step{nod.StepDelivered, nod.StepApplied}
		if slices.Contains(receipts[id], nod.StepDoubted) {
			want = []nod.Step{nod.StepDelivered, nod.StepDoubted, nod.StepApplied}
			doubts++
		}
		if !slices.Equal(receipts[id], want) {
			s.Errorf("%s: %v", id, receipts[id])
		}
	}
	if doubts == 0 || doubts > len(decided)/5 {
		s.Errorf("%d of %d decisions were doubted", doubts, len(decided))
	}
}
