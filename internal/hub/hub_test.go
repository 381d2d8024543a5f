package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "terminal", Rights: nod.RightsOf(nod.View, nod.Answering)}

func open(t testing.TB, s hub.Store, opt ...hub.Options) *hub.Hub {
	t.Helper()
	o := hubtest.Options{Store: s}
	if len(opt) > 0 {
		o.Options = opt[0]
	}
	return hubtest.New(t, o).Hub
}

func request(id string) nod.Request {
	return nod.Request{ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "agent"}, Kind: nod.KindApproval, Tool: "Bash", Title: "ls", Input: json.RawMessage(`{"command":"ls"}`)}
}

func ask(t *testing.T, h *hub.Hub, r nod.Request) *nod.Request {
	t.Helper()
	got, err := h.Link("test").Ask(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestFirstAnswerWinsOnce(t *testing.T) {
	h := open(t, mem.New())
	ask(t, h, request("r1"))
	race(t, "r1", 100, h)
}

// race lets n people answer a request at once, at several hubs: one of them wins.
func race(t *testing.T, id nod.RequestID, n int, hubs ...*hub.Hub) {
	t.Helper()
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			who := anna
			who.Name = fmt.Sprint("person ", i)
			_, err := hubs[i%len(hubs)].Desk(who).Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow})
			switch {
			case err == nil:
				won.Add(1)
			case nod.CodeOf(err) == nod.Conflict && nod.WinnerOf(err).Decision != nil:
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || int(lost.Load()) != n-1 {
		t.Errorf("%d won, %d lost", won.Load(), lost.Load())
	}
}

func TestAskingAgainFindsTheSameRequest(t *testing.T) {
	h := open(t, mem.New())
	ask(t, h, request("r1"))
	if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if again := ask(t, h, request("r1")); again.Status != nod.Decided {
		t.Errorf("asked again: %s", again.Status)
	}
}

func TestAnswerArrivesAfterARestart(t *testing.T) {
	g := hubtest.New(t, hubtest.Options{})
	g.Ask(request("r1"))
	g.Close()
	if _, err := g.Hub.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Unavailable {
		t.Errorf("a closed hub took an answer: %v", err)
	}
	g.Open()
	h := g.Hub
	done := make(chan *nod.Request, 1)
	go func() {
		r, err := h.Link("test").Await(t.Context(), "r1")
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictDeny, Message: "no"}); err != nil {
		t.Fatal(err)
	}
	if r := <-done; r.Decision.Message != "no" {
		t.Errorf("%+v", r)
	}
}

func TestRightsAreSeparateAndAgentsAreRecorded(t *testing.T) {
	h := open(t, mem.New())
	ask(t, h, request("r1"))
	robot := nod.Actor{Kind: nod.ActorAgent, Name: "pid 7, child of claude", Rights: nod.RightsOf(nod.Raise)}
	if _, err := h.Desk(robot).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Fatalf("an agent answered itself: %v", err)
	}
	looker := nod.Actor{Kind: nod.ActorDevice, Name: "screen", Rights: nod.RightsOf(nod.View)}
	if _, err := h.Desk(looker).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Fatalf("a screen answered: %v", err)
	}
	if _, err := h.Desk(robot).Snapshot(t.Context()); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("an agent looked: %v", err)
	}
	var refused int
	events, err := h.Desk(anna).Log(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Kind == nod.AccessRefused {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d refusals recorded", refused)
	}
	if r, _ := h.Desk(anna).Request(t.Context(), "r1"); r.Status != nod.Pending {
		t.Errorf("the request is %s", r.Status)
	}
}

func TestFollowersMissNothing(t *testing.T) {
	h := open(t, mem.New())
	const raised, followers = 300, 20
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for i := range followers {
		snap, err := h.Desk(anna).Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			next, seen := snap.Seq+1, len(snap.Requests)
			for e, err := range h.Desk(anna).Follow(ctx, snap.Seq) {
				if err != nil {
					t.Error(err)
					return
				}
				if e.Seq != next {
					t.Errorf("follower %d: event %d after %d", i, e.Seq, next-1)
					return
				}
				next++
				if e.Kind == nod.RequestRaised {
					if seen++; seen == raised {
						return
					}
				}
			}
			t.Errorf("follower %d saw %d of %d", i, seen, raised)
		})
		if i == followers/2 {
			wg.Go(func() {
				for n := range raised {
					if _, err := h.Link("test").Ask(t.Context(), request(fmt.Sprint("r", n))); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	cancel()
	if n := h.Viewers(); n != 0 {
		t.Errorf("%d viewers left behind", n)
	}
}

func TestFollowBeyondTheHeadIsGone(t *testing.T) {
	h := open(t, mem.New())
	for _, err := range h.Desk(anna).Follow(t.Context(), 999) {
		if nod.CodeOf(err) != nod.Gone {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no event, no error")
}

func TestRequestsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, mem.New())
		for i, after := range []time.Duration{3 * time.Minute, time.Minute, 2 * time.Minute} {
			r := request(fmt.Sprint("r", i))
			at := time.Now().Add(after)
			r.ExpiresAt = &at
			ask(t, h, r)
		}
		status := func(id nod.RequestID) nod.Status {
			r, err := h.Desk(anna).Request(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return r.Status
		}
		time.Sleep(90 * time.Second)
		synctest.Wait()
		if status("r0") != nod.Pending || status("r1") != nod.Expired || status("r2") != nod.Pending {
			t.Errorf("after 90 s: %s %s %s", status("r0"), status("r1"), status("r2"))
		}
		if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Conflict {
			t.Errorf("an expired request took an answer: %v", err)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if status("r0") != nod.Expired || status("r2") != nod.Expired {
			t.Errorf("in the end: %s %s", status("r0"), status("r2"))
		}
	})
}

func TestRequestsThatEndTogetherFreeTheirAgent(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, h *hub.Hub){
		"they expire": func(t *testing.T, _ *hub.Hub) {
			time.Sleep(time.Minute)
			synctest.Wait()
		},
		"their driver withdraws them": func(t *testing.T, h *hub.Hub) {
			every := func(*nod.Request, time.Time) bool { return true }
			if err := h.Link("test").Report(t.Context(), hub.WithdrawWhere("agent", nod.Withdrawal{Reason: nod.WithdrawnSuperseded}, every)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := hubtest.New(t, hubtest.Options{Settle: synctest.Wait})
				g.Agent("agent", nod.AgentWorking)
				at := time.Now().Add(time.Minute)
				for _, id := range []string{"r1", "r2"} {
					g.Ask(hubtest.Approval(id, func(r *nod.Request) { r.ExpiresAt = &at }))
				}
				end(t, g.Hub)
				snapshot, err := g.Hub.Desk(anna).Snapshot(t.Context())
				if err != nil || len(snapshot.Requests) != 0 || snapshot.Agents[0].State != nod.AgentWorking {
					t.Errorf("%d requests are open, and the agent is %s: %v", len(snapshot.Requests), snapshot.Agents[0].State, err)
				}
			})
		})
	}
}

func TestAgentWaitsWhileItHasQuestions(t *testing.T) {
	h := open(t, mem.New())
	l := h.Link("test")
	report := func(facts ...hub.Fact) {
		t.Helper()
		if err := l.Report(t.Context(), facts...); err != nil {
			t.Fatal(err)
		}
	}
	state := func() nod.AgentState { return onlyAgent(h).State }
	working := hub.Agent("agent", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) })
	report(working)
	ask(t, h, request("r1"))
	ask(t, h, request("r2"))
	report(working) // another tool of it began; it still waits
	if state() != nod.AgentWaiting {
		t.Errorf("with two questions: %s", state())
	}
	report(hub.Withdraw("r1", nod.Withdrawal{Reason: nod.WithdrawnTerminal}))
	if state() != nod.AgentWaiting {
		t.Errorf("with one question: %s", state())
	}
	if _, err := h.Desk(anna).Decide(t.Context(), "r2", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if state() != nod.AgentWorking {
		t.Errorf("with none: %s", state())
	}
	ask(t, h, request("r3"))
	report(hub.WithdrawAll("agent", nod.Withdrawal{Reason: nod.WithdrawnEnded}), hub.Agent("agent", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentEnded, now) }))
	if state() != nod.AgentEnded {
		t.Errorf("after its end: %s", state())
	}
	head, _ := h.Head()
	report(hub.Agent("agent", func(*nod.Agent, time.Time) {}))
	if again, _ := h.Head(); again != head {
		t.Error("a change that changes nothing is in the log")
	}
}

func TestRequestIsFoundByPrefix(t *testing.T) {
	h := open(t, mem.New())
	for _, id := range []string{"aaaa11", "aaaa22", "bbbb33", "c"} {
		ask(t, h, request(id))
	}
	find := func(id nod.RequestID) (*nod.Request, error) { return h.Desk(anna).Request(t.Context(), id) }
	if r, err := find("bbbb"); err != nil || r.ID != "bbbb33" {
		t.Errorf("bbbb: %v %v", r, err)
	}
	if _, err := find("bbb"); nod.CodeOf(err) != nod.NotFound || !strings.Contains(err.Error(), "at least 4 characters") {
		t.Errorf("three letters fit by accident: %v", err)
	}
	if r, err := find("c"); err != nil || r.ID != "c" {
		t.Errorf("a whole id may be short: %v %v", r, err)
	}
	if _, err := find("aaaa"); nod.CodeOf(err) != nod.Invalid {
		t.Errorf("aaaa: %v", err)
	}
	if _, err := h.Desk(anna).Decide(t.Context(), "aaaa11", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if r, err := find("aaaa"); err != nil || r.ID != "aaaa22" {
		t.Errorf("what waits comes first: %v %v", r, err)
	}
	if _, err := find("zzzz"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("zzzz: %v", err)
	}
}

func TestOldRequestsAreFoundInTheLog(t *testing.T) {
	h := open(t, mem.New())
	for i := range 230 {
		id := fmt.Sprintf("r%03d", i)
		ask(t, h, request(id))
		if _, err := h.Desk(anna).Decide(t.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := h.Desk(anna).Request(t.Context(), "r003")
	if err != nil || r.Status != nod.Decided || r.Decision.By != "anna" {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = h.Desk(anna).Decide(t.Context(), "r003", nod.Answer{Verdict: nod.VerdictDeny})
	if nod.CodeOf(err) != nod.Conflict || nod.WinnerOf(err).Decision.Verdict != nod.VerdictAllow {
		t.Errorf("a very late answer: %v", err)
	}
	list, err := h.Desk(anna).Requests(t.Context(), hub.Filter{Limit: 225})
	if err != nil || len(list) != 225 || list[0].ID != "r229" || list[224].ID != "r005" {
		t.Errorf("%d requests, %v", len(list), err)
	}
}

func TestAwaitEndsWithItsCaller(t *testing.T) {
	h := open(t, mem.New())
	ask(t, h, request("r1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Link("test").Await(ctx, "r1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func onlyAgent(h *hub.Hub) (only *nod.Agent) {
	h.Look(func(s *nod.State) {
		for _, a := range s.Agents {
			only = a
		}
	})
	return only
}
