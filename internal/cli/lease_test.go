package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
)

func TestAllowForAWhile(t *testing.T) {
	tests := []struct {
		name, args string
		exit       int
		out        []string
		err        string
		answer     string
	}{
		{"with everything", "allow ca5e --for 1h30m --times 5 --where folder", 0, []string{
			"Allowed `go test ./...` for api.\n",
			"Until 13:31:03 (90 min), at most 5 times, nod allows by itself:\n  Bash(go test:*)\n  in /home/anna/src/api on desk\n",
			"Take it back with `nod lease revoke l4`.\n", "Applied.",
		}, "", `{"verdict":"allow","lease":{"minutes":90,"times":5,"where":"folder"}}`},
		{"as usual", "allow ca5e --for 20m", 0, []string{
			"Until 12:21:03 (20 min), at most 30 times", "only session api · in /home/anna/src/api on desk",
		}, "", `{"verdict":"allow","lease":{"minutes":20,"times":30,"where":"session"}}`},
		{"on the whole host", "allow ca5e --for 1m --where host", 0, []string{"everywhere on desk"}, "",
			`{"verdict":"allow","lease":{"minutes":1,"times":30,"where":"host"}}`},
		{"once is no lease", "allow ca5e", 0, []string{"Allowed"}, "", `{"verdict":"allow"}`},
		{"none offered", "allow c0ff --for 20m", 1, nil, "allow it once with `nod allow c0ff`", ""},
		{"a question", "allow 9c1d --for 20m", 1, nil, "This is a question", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newRunner(t)
			h.raise(leasedRequest())
			if !strings.Contains(tt.args, "ca5e") {
				h.raise(testRequest())
				h.raise(askRequest())
			}
			got := h.nod(0, nil, strings.Fields(tt.args)...)
			check(t, got, tt.exit, "", tt.err)
			for _, text := range tt.out {
				check(t, got, tt.exit, text, "")
			}
			answer := ""
			if len(h.answers) > 0 {
				answer = string(raw(h.answers[0]))
			}
			if answer != tt.answer {
				t.Errorf("the hub got %s, want %s", answer, tt.answer)
			}
		})
	}
}

// Without the list the box is told all the same, and where to find it.
func TestALeaseIsToldWithoutItsID(t *testing.T) {
	h := newRunner(t)
	h.raise(leasedRequest())
	h.beforeServe = onceFor("/leases", func() { h.refuse = nod.Errorf(nod.Internal, "broken") })
	got := h.nod(0, nil, "allow", "ca5e", "--for", "20m", "--no-wait")
	check(t, got, 0, "Until 12:21:03 (20 min), at most 30 times", "")
	check(t, got, 0, "`nod leases` shows it", "")
}

func TestGrant(t *testing.T) {
	tests := []struct{ args, want, out string }{
		{"Bash(make:*) --for 20m", `{"rules":["Bash(make:*)"],"minutes":20,"times":30,"folder":"/nowhere/src/api","host":"desk"}`, "in /nowhere/src/api on desk"},
		{"Bash(make:*) --for 20m --here", `{"rules":["Bash(make:*)"],"minutes":20,"times":30,"folder":"/nowhere/src/api","host":"desk"}`, ""},
		{"Edit Bash --for 24h --times 1000 --folder /nowhere/x/../web", `{"rules":["Edit","Bash"],"minutes":1440,"times":1000,"folder":"/nowhere/web","host":"desk"}`, "  Edit\n  Bash\n"},
		{"Bash --for 5m --folder ../web", `{"rules":["Bash"],"minutes":5,"times":30,"folder":"/nowhere/src/web","host":"desk"}`, "Until 12:06:03"},
		{"Bash --for 5m --agent DOCS", `{"rules":["Bash"],"minutes":5,"times":30,"agent":"a-docs","folder":"/srv/docs","host":"nas"}`, "only session docs · in /srv/docs on nas"},
	}
	for _, tt := range tests {
		h := newRunner(t)
		for _, a := range someAgents() {
			h.agent(a)
		}
		check(t, h.nod(0, nil, append([]string{"lease", "grant"}, strings.Fields(tt.args)...)...), 0, tt.out, "")
		if len(h.granted) != 1 || string(raw(h.granted[0])) != tt.want {
			t.Errorf("%s: the hub got %s, want %s", tt.args, raw(h.granted), tt.want)
		}
	}
	h := newRunner(t)
	check(t, h.nod(0, nil, "lease", "grant", "Bash", "--for", "5m", "--agent", "nobody"), 4, "", `There is no agent "nobody"`)
	if len(h.granted) != 0 {
		t.Errorf("granted %v", h.granted)
	}
}

func TestLeasesAreListedAndTakenBack(t *testing.T) {
	h := newRunner(t)
	check(t, h.nod(0, nil, "leases"), 0, "nod lease grant 'Bash(go test:*)' --for 20m", "")
	check(t, h.nod(0, nil, "lease", "revoke", "--all"), 0, "No lease is in force", "")
	for _, a := range someAgents() {
		h.agent(a)
	}
	for _, l := range someLeases() {
		h.grant(l)
	}
	got := h.nod(0, nil, "leases")
	check(t, got, 0, "l42  ▰▰▱▱▱▱▱▱  7 of 30 left, 12 min\n  Bash(go test:*)\n  Bash(go vet:*)\n  only session api", "")
	check(t, h.nod(0, nil, "lease", "revoke", "l42"), 0, "Taken back: lease l42, used 23 of 30 times.", "")
	check(t, h.nod(0, nil, "lease", "revoke", "l42"), 4, "", `There is no lease "l42"`)
	// One that ends by itself in between is no failure.
	h.grant(someLeases()[0])
	h.beforeServe = onceFor("/l57", func() { h.add(nod.Event{Kind: nod.LeaseEnded, Lease: someLeases()[1]}) })
	check(t, h.nod(0, nil, "lease", "revoke", "--all"), 0, "Taken back: 2 leases.", "")
	if n := len(h.state.Leases); n != 0 {
		t.Errorf("%d leases live on", n)
	}
}

func TestABarIsEmptyOnlyWhenNothingIsLeft(t *testing.T) {
	p := page{layout: layout{now: noon}}
	lease := func(minutes, used int) *nod.Lease {
		return &nod.Lease{Granted: noon.Add(-time.Duration(60-minutes) * time.Minute), Until: noon.Add(time.Duration(minutes) * time.Minute), Limit: 100, Used: used}
	}
	for _, tt := range []struct{ minutes, used, full int }{
		{60, 0, 8}, {59, 1, 8}, {30, 0, 4}, {60, 50, 4}, {30, 90, 1}, {1, 0, 1}, {60, 99, 1}, {60, 100, 0}, {0, 0, 0}, {-5, 0, 0},
	} {
		if got := strings.Count(leaseBar(p, lease(tt.minutes, tt.used)), "▰"); got != tt.full {
			t.Errorf("%d min, %d used: %d cells, want %d", tt.minutes, tt.used, got, tt.full)
		}
	}
}

// The log tells every fact about leases, the red button and messages, and which
// answers no person gave.
func TestLogOfAutomaticAnswers(t *testing.T) {
	h := newRunner(t)
	h.agent(someAgents()[0])
	old := someLeases()[1]
	h.grant(old)
	l := someLeases()[0]
	l.Used = 0
	h.grant(l)
	auto := func(id nod.RequestID, d nod.Decision) {
		r := testRequest()
		r.ID, d.Verdict, d.At = id, nod.VerdictAllow, noon
		h.raise(r)
		h.add(nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &d})
	}
	under := func(l nod.LeaseID) nod.Decision {
		return nod.Decision{By: "anna at desk", Via: nod.ViaLease, Under: l}
	}
	auto("aaaa0001", nod.Decision{By: "read-only: git log", Via: nod.ViaPolicy})
	auto("aaaa0002", under("l42"))
	auto("aaaa0003", under("l42"))
	end := func(l nod.Lease, e nod.LeaseEnd) { l.End = &e; h.add(nod.Event{Kind: nod.LeaseEnded, Lease: &l}) }
	end(*l, nod.LeaseEnd{Reason: nod.LeaseEndUsedUp})
	end(*old, nod.LeaseEnd{Reason: nod.LeaseEndStopped, By: "ben", Via: "phone"})
	ben := &nod.Actor{Name: "ben", Via: "phone"}
	h.add(nod.Event{Kind: nod.StopPressed, By: ben})
	h.add(nod.Event{Kind: nod.StopPressed, AgentID: "a-api", By: ben})
	m := &nod.Message{ID: "m-00000001", By: "ben", Via: "phone", Text: "use make", Problem: "its pane is gone"}
	for _, kind := range []nod.EventKind{nod.MessageSaid, nod.MessageDelivered, nod.MessageFailed} {
		h.add(nod.Event{Kind: kind, AgentID: "a-api", Message: m})
	}
	got := h.nod(0, nil, "log", "-n", "50").out
	for _, want := range []string{
		"  lease l42 granted by anna at desk through watch for 20 min, at most 30 times: Bash(go test:*) Bash(go vet:*)\n",
		"  allowed by itself: read-only: git log\n",
		"  allowed by itself under lease l42 of anna at desk (1 of 30)\n",
		"  allowed by itself under lease l42 of anna at desk (2 of 30)\n",
		"  lease l42 ended, used 0 of 30: used up\n",
		"  lease l57 ended, used 0 of 100: stopped by ben through phone\n",
		"03  STOP: ben stopped everything through phone\n",
		"  api       STOP: ben told it to stop through phone\n",
		"  api       ben says through phone: use make\n",
		"  api       has heard: use make\n",
		"  api       did not hear (its pane is gone): use make\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the log lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "allowed by anna") || strings.Contains(got, "allowed by read-only") {
		t.Errorf("a person is said to have done what nod did:\n%s", got)
	}
}

// Uses are counted from where the log was joined, and not told where the
// beginning was not heard.
func TestUsesAreCountedFromWhereTheyAreKnown(t *testing.T) {
	u := leaseUses{}
	u.know([]*nod.Lease{{ID: "l1", Used: 7, Limit: 30}}, 100)
	decided := func(at nod.Seq, id nod.LeaseID) int {
		used, _ := u.note(&nod.Event{Seq: at, Kind: nod.RequestDecided, Decision: &nod.Decision{Under: id}})
		return used
	}
	for _, tt := range []struct {
		at   nod.Seq
		id   nod.LeaseID
		want int
	}{{99, "l1", 0}, {101, "l1", 8}, {102, "l1", 9}, {103, "l2", 0}, {104, "", 0}} {
		if got := decided(tt.at, tt.id); got != tt.want {
			t.Errorf("event %d under %q: use %d, want %d", tt.at, tt.id, got, tt.want)
		}
	}
}

func TestAutomaticAnswersAreNobodys(t *testing.T) {
	h := newRunner(t)
	r := testRequest()
	h.raise(r)
	h.add(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: &nod.Decision{
		Answer: nod.Answer{Verdict: nod.VerdictDeny}, By: "your deny rule Bash(rm:*)", Via: nod.ViaPolicy, At: noon}})
	says := "denied by itself: your deny rule Bash(rm:*)"
	check(t, h.nod(0, nil, "requests", "--all"), 0, "\n  "+says+"\n", "")
	check(t, h.nod(60, []string{"NO_COLOR=1"}, "requests", "--all"), 0, "\n  "+says+"\n", "")
	check(t, h.nod(0, nil, "requests", "c0ff"), 0, "No person was asked, 12 s ago: "+says, "")
	check(t, h.nod(0, nil, "requests", "c0ff"), 0, "decided by itself (your deny rule Bash(rm:*))", "")
	check(t, h.nod(0, nil, "allow", "c0ff"), 3, "", "No person was asked, 12 s ago: "+says)
}

func TestNewCommandsExplainThemselves(t *testing.T) {
	h := newRunner(t)
	for _, lang := range []string{"en", "pl", "ja"} {
		for args, want := range map[string]string{
			"leases": "nod leases --json", "lease": "nod lease revoke l42", "lease grant": "--folder ~/src/web", "lease revoke": "nod lease revoke --all",
			"stop": "nod stop --all", "say": "--when-busy interrupt", "allow": "nod allow 7f3a --for 20m --times 30",
		} {
			check(t, h.nod(0, []string{"NOD_LANG=" + lang}, append(strings.Fields(args), "--help")...), 0, want, "")
		}
	}
	check(t, h.nod(0, nil, "lease"), 0, "nod lease grant", "")
}
