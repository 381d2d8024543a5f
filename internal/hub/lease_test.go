package hub_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

// byRule allows what a lease names by its title, and offers titles as kinds.
type byRule struct{}

func (byRule) Judge(r *nod.Request, leases []*nod.Lease) hub.Judgement {
	for _, l := range leases {
		if slices.Contains(l.Rules, r.Title) {
			return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "lease", Lease: l.ID}
		}
	}
	if r.Title == "rm" {
		return hub.Judgement{}
	}
	return hub.Judgement{Kind: []string{r.Title}}
}

func (byRule) Check(rules []string) error {
	if rules[0] == "wrong" {
		return nod.Errorf(nod.Invalid, "no rule")
	}
	return nil
}

func openLeased(t *testing.T, s hub.Store) *hub.Hub {
	t.Helper()
	return open(t, s, hub.Options{Policy: byRule{}})
}

// titled is a request of an agent at work in /src.
func titled(id, title string) nod.Request {
	r := request(id)
	r.Title = title
	r.Agent = nod.AgentRef{ID: "agent", Host: "desk", Cwd: "/src"}
	return r
}

func leases(t *testing.T, h *hub.Hub) []*nod.Lease {
	t.Helper()
	snap, err := h.Desk(anna).Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snap.Leases
}

func allowFor(t *testing.T, h *hub.Hub, id nod.RequestID, terms nod.Terms) {
	t.Helper()
	if _, err := h.Desk(anna).Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow, Lease: &terms}); err != nil {
		t.Fatal(err)
	}
}

func TestLeaseAllowsUntilItsCountIsUsedUp(t *testing.T) {
	h := openLeased(t, mem.New())
	ask(t, h, titled("r1", "test"))
	allowFor(t, h, "r1", nod.Terms{Minutes: 20, Times: 2})
	for _, id := range []string{"r2", "r3"} {
		got := ask(t, h, titled(id, "test"))
		if got.Status != nod.Decided || !got.Decision.Automatic() || got.Decision.By != "anna" || got.Decision.Under == "" {
			t.Fatalf("%s: %s %+v", id, got.Status, got.Decision)
		}
	}
	if got := ask(t, h, titled("r4", "test")); got.Status != nod.Pending {
		t.Errorf("a lease for two was used three times")
	}
	if left := leases(t, h); len(left) != 0 {
		t.Errorf("a used-up lease is still listed: %+v", left[0])
	}
	es, _ := h.Desk(anna).Log(t.Context(), 0, 100)
	last := es[slices.IndexFunc(es, func(e nod.Event) bool { return e.Kind == nod.LeaseEnded })]
	if last.Lease.End.Reason != nod.LeaseEndUsedUp || last.Lease.Used != 2 {
		t.Errorf("it ended as %+v", last.Lease)
	}
}

func TestScopeOfALease(t *testing.T) {
	elsewhere := func(change func(a *nod.AgentRef)) nod.AgentRef {
		a := nod.AgentRef{ID: "agent", Host: "desk", Cwd: "/src"}
		change(&a)
		return a
	}
	for _, c := range []struct {
		name  string
		where nod.Reach
		who   nod.AgentRef
		want  nod.Status
	}{
		{"the session itself", nod.ReachSession, elsewhere(func(*nod.AgentRef) {}), nod.Decided},
		{"another session", nod.ReachSession, elsewhere(func(a *nod.AgentRef) { a.ID = "other" }), nod.Pending},
		{"the session in another folder", nod.ReachSession, elsewhere(func(a *nod.AgentRef) { a.Cwd = "/etc" }), nod.Pending},
		{"another session in the folder", nod.ReachFolder, elsewhere(func(a *nod.AgentRef) { a.ID, a.Cwd = "other", "/src/web" }), nod.Decided},
		{"a folder that only begins alike", nod.ReachFolder, elsewhere(func(a *nod.AgentRef) { a.Cwd = "/srcs" }), nod.Pending},
		{"a way out of the folder", nod.ReachFolder, elsewhere(func(a *nod.AgentRef) { a.Cwd = "/src/../etc" }), nod.Pending},
		{"the same folder on another machine", nod.ReachFolder, elsewhere(func(a *nod.AgentRef) { a.Host = "laptop" }), nod.Pending},
		{"anywhere on the machine", nod.ReachHost, elsewhere(func(a *nod.AgentRef) { a.ID, a.Cwd = "other", "/etc" }), nod.Decided},
		{"another machine", nod.ReachHost, elsewhere(func(a *nod.AgentRef) { a.Host = "laptop" }), nod.Pending},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := openLeased(t, mem.New())
			ask(t, h, titled("r1", "test"))
			allowFor(t, h, "r1", nod.Terms{Minutes: 5, Where: c.where})
			r := titled("r2", "test")
			r.Agent = c.who
			if got := ask(t, h, r); got.Status != c.want {
				t.Errorf("%s, want %s", got.Status, c.want)
			}
		})
	}
}

func TestLeaseExpiresAcrossARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mem.New()
		h := openLeased(t, s)
		ask(t, h, titled("r1", "test"))
		allowFor(t, h, "r1", nod.Terms{Minutes: 10})
		if err := h.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		h = openLeased(t, s)
		if n := len(leases(t, h)); n != 1 {
			t.Fatalf("%d leases after a restart", n)
		}
		time.Sleep(10 * time.Minute)
		if got := ask(t, h, titled("r2", "test")); got.Status != nod.Pending {
			t.Errorf("a lease outlived its time")
		}
		synctest.Wait()
		if n := len(leases(t, h)); n != 0 {
			t.Errorf("%d leases after their time", n)
		}
	})
}

func TestInvalidLeases(t *testing.T) {
	h := openLeased(t, mem.New())
	ask(t, h, titled("r1", "rm"))
	r := titled("r2", "test")
	r.CanEdit = true
	ask(t, h, r)
	for name, c := range map[string]struct {
		id     nod.RequestID
		answer nod.Answer
		code   nod.Code
	}{
		"a kind that must be seen": {"r1", nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 5}}, nod.Unprocessable},
		"no time":                  {"r2", nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{}}, nod.Invalid},
		"for ever":                 {"r2", nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 24*60 + 1}}, nod.Invalid},
		"too often":                {"r2", nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 5, Times: 1001}}, nod.Invalid},
		"nowhere":                  {"r2", nod.Answer{Verdict: nod.VerdictAllow, Lease: &nod.Terms{Minutes: 5, Where: "galaxy"}}, nod.Invalid},
		"a deny":                   {"r2", nod.Answer{Verdict: nod.VerdictDeny, Lease: &nod.Terms{Minutes: 5}}, nod.Unprocessable},
		"something edited":         {"r2", nod.Answer{Verdict: nod.VerdictAllow, Input: []byte(`{}`), Lease: &nod.Terms{Minutes: 5}}, nod.Unprocessable},
	} {
		if _, err := h.Desk(anna).Decide(t.Context(), c.id, c.answer); nod.CodeOf(err) != c.code || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(leases(t, h)); n != 0 {
		t.Errorf("%d leases from refused answers", n)
	}
}

func TestGrantAndRevoke(t *testing.T) {
	h := openLeased(t, mem.New())
	box := nod.Lease{Rules: []string{"test"}, Until: time.Now().Add(time.Hour), Limit: 5}
	l, err := h.Desk(anna).Grant(t.Context(), box)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, h, titled("r1", "test")); got.Status != nod.Decided {
		t.Error("a lease granted by hand has no effect")
	}
	if _, err := h.Desk(anna).Revoke(t.Context(), l.ID); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, h, titled("r2", "test")); got.Status != nod.Pending {
		t.Error("a revoked lease still allows")
	}
	if _, err := h.Desk(anna).Revoke(t.Context(), l.ID); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("revoked twice: %v", err)
	}
	for name, wrong := range map[string]nod.Lease{
		"no rule":       {Until: box.Until, Limit: 1},
		"a wrong rule":  {Rules: []string{"wrong"}, Until: box.Until, Limit: 1},
		"no end":        {Rules: box.Rules, Limit: 1},
		"no count":      {Rules: box.Rules, Until: box.Until},
		"unknown agent": {Rules: box.Rules, Until: box.Until, Limit: 1, Agent: "who"},
	} {
		if _, err := h.Desk(anna).Grant(t.Context(), wrong); err == nil {
			t.Errorf("granted with %s", name)
		}
	}
	robot := nod.Actor{Kind: nod.ActorAgent, Name: "claude", Rights: nod.RightsOf(nod.Raise)}
	if _, err := h.Desk(robot).Grant(t.Context(), box); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("an agent granted itself a lease: %v", err)
	}
}

func TestLeaseEndsWithItsSession(t *testing.T) {
	h := openLeased(t, mem.New())
	enter(t, h, nod.AgentWorking)
	ask(t, h, titled("r1", "test"))
	allowFor(t, h, "r1", nod.Terms{Minutes: 5})
	enter(t, h, nod.AgentEnded)
	if left := leases(t, h); len(left) != 0 {
		t.Errorf("it lives on: %+v", left[0])
	}
}

// enter brings the agent of titled requests into a state.
func enter(t *testing.T, h *hub.Hub, s nod.AgentState, more ...func(*nod.Agent)) {
	t.Helper()
	err := h.Link("test").Report(t.Context(), hub.Agent("agent", func(a *nod.Agent, now time.Time) {
		a.Name, a.Host, a.Cwd = "agent", "desk", "/src"
		a.Enter(s, now)
		for _, f := range more {
			f(a)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
}
