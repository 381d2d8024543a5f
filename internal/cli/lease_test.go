package cli

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/cli/clitest"
)

func TestAllowWithALease(t *testing.T) {
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
			h := NewRunner(t)
			h.Raise(clitest.LeasedRequest())
			if !strings.Contains(tt.args, "ca5e") {
				h.Raise(clitest.GoTestRequest())
				h.Raise(clitest.AskRequest())
			}
			got := h.nod(0, nil, strings.Fields(tt.args)...)
			clitest.Check(t, got, tt.exit, "", tt.err)
			for _, text := range tt.out {
				clitest.Check(t, got, tt.exit, text, "")
			}
			answer := ""
			if len(h.Answers) > 0 {
				answer = string(clitest.JSON(h.Answers[0]))
			}
			if answer != tt.answer {
				t.Errorf("the hub got %s, want %s", answer, tt.answer)
			}
		})
	}
}

// Without the list, the command still prints the lease's limits, and where to find it.
func TestLeaseIsPrintedWithoutItsID(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.LeasedRequest())
	h.BeforeServe = onceFor("/leases", func() { h.Refuse = nod.Errorf(nod.Internal, "broken") })
	got := h.nod(0, nil, "allow", "ca5e", "--for", "20m", "--no-wait")
	clitest.Check(t, got, 0, "Until 12:21:03 (20 min), at most 30 times", "")
	clitest.Check(t, got, 0, "`nod leases` shows it", "")
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
		h := NewRunner(t)
		for _, a := range clitest.SomeAgents() {
			h.Agent(a)
		}
		clitest.Check(t, h.nod(0, nil, append([]string{"lease", "grant"}, strings.Fields(tt.args)...)...), 0, tt.out, "")
		if len(h.Granted) != 1 || string(clitest.JSON(h.Granted[0])) != tt.want {
			t.Errorf("%s: the hub got %s, want %s", tt.args, clitest.JSON(h.Granted), tt.want)
		}
	}
	h := NewRunner(t)
	clitest.Check(t, h.nod(0, nil, "lease", "grant", "Bash", "--for", "5m", "--agent", "nobody"), 4, "", `There is no agent "nobody"`)
	if len(h.Granted) != 0 {
		t.Errorf("granted %v", h.Granted)
	}
}

func TestLeasesAreListedAndRevoked(t *testing.T) {
	h := NewRunner(t)
	clitest.Check(t, h.nod(0, nil, "leases"), 0, "nod lease grant 'Bash(go test:*)' --for 20m", "")
	clitest.Check(t, h.nod(0, nil, "lease", "revoke", "--all"), 0, "No lease is in force", "")
	for _, a := range clitest.SomeAgents() {
		h.Agent(a)
	}
	for _, l := range clitest.SomeLeases() {
		h.Grant(l)
	}
	got := h.nod(0, nil, "leases")
	clitest.Check(t, got, 0, "l42  ▰▰▱▱▱▱▱▱  7 of 30 left, 12 min\n  Bash(go test:*)\n  Bash(go vet:*)\n  only session api", "")
	clitest.Check(t, h.nod(0, nil, "lease", "revoke", "l42"), 0, "Taken back: lease l42, used 23 of 30 times.", "")
	clitest.Check(t, h.nod(0, nil, "lease", "revoke", "l42"), 4, "", `There is no lease "l42"`)
	// One that ends by itself in between is no failure.
	h.Grant(clitest.SomeLeases()[0])
	h.BeforeServe = onceFor("/l57", func() { h.Add(nod.Event{Kind: nod.LeaseEnded, Lease: clitest.SomeLeases()[1]}) })
	clitest.Check(t, h.nod(0, nil, "lease", "revoke", "--all"), 0, "Taken back: 2 leases.", "")
	if n := len(h.State.Leases); n != 0 {
		t.Errorf("%d leases live on", n)
	}
}

// The log shows every event about leases, the emergency stop and messages, and which
// answers were automatic.
func TestLogOfAutomaticAnswers(t *testing.T) {
	h := NewRunner(t)
	h.Agent(clitest.SomeAgents()[0])
	old := clitest.SomeLeases()[1]
	h.Grant(old)
	l := clitest.SomeLeases()[0]
	l.Used = 0
	h.Grant(l)
	auto := func(id nod.RequestID, d nod.Decision) {
		r := clitest.GoTestRequest()
		r.ID, d.Verdict, d.At = id, nod.VerdictAllow, clitest.Noon
		h.Raise(r)
		h.Add(nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &d})
	}
	under := func(l nod.LeaseID) nod.Decision {
		return nod.Decision{By: "anna at desk", Via: nod.ViaLease, Under: l}
	}
	auto("aaaa0001", nod.Decision{By: "read-only: git log", Via: nod.ViaPolicy})
	auto("aaaa0002", under("l42"))
	auto("aaaa0003", under("l42"))
	end := func(l nod.Lease, e nod.LeaseEnd) { l.End = &e; h.Add(nod.Event{Kind: nod.LeaseEnded, Lease: &l}) }
	end(*l, nod.LeaseEnd{Reason: nod.LeaseEndUsedUp})
	end(*old, nod.LeaseEnd{Reason: nod.LeaseEndStopped, By: "ben", Via: "phone"})
	ben := &nod.Actor{Name: "ben", Via: "phone"}
	h.Add(nod.Event{Kind: nod.StopPressed, By: ben})
	h.Add(nod.Event{Kind: nod.StopPressed, AgentID: "a-api", By: ben})
	m := &nod.Message{ID: "m-00000001", By: "ben", Via: "phone", Text: "use make", Problem: "its pane is gone"}
	for _, kind := range []nod.EventKind{nod.MessageSaid, nod.MessageDelivered, nod.MessageFailed} {
		h.Add(nod.Event{Kind: kind, AgentID: "a-api", Message: m})
	}
	got := h.nod(0, nil, "log", "-n", "50").Out
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

func TestAutomaticAnswersNameNoPerson(t *testing.T) {
	h := NewRunner(t)
	r := clitest.GoTestRequest()
	h.Raise(r)
	h.Add(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: &nod.Decision{
		Answer: nod.Answer{Verdict: nod.VerdictDeny}, By: "your deny rule Bash(rm:*)", Via: nod.ViaPolicy, At: clitest.Noon}})
	says := "denied by itself: your deny rule Bash(rm:*)"
	clitest.Check(t, h.nod(0, nil, "requests", "--all"), 0, "\n  "+says+"\n", "")
	clitest.Check(t, h.nod(60, []string{"NO_COLOR=1"}, "requests", "--all"), 0, "\n  "+says+"\n", "")
	clitest.Check(t, h.nod(0, nil, "requests", "c0ff"), 0, "No person was asked, 12 s ago: "+says, "")
	clitest.Check(t, h.nod(0, nil, "requests", "c0ff"), 0, "decided by itself (your deny rule Bash(rm:*))", "")
	clitest.Check(t, h.nod(0, nil, "allow", "c0ff"), 3, "", "No person was asked, 12 s ago: "+says)
}

func TestNewCommandsExplainThemselves(t *testing.T) {
	h := NewRunner(t)
	for _, lang := range []string{"en", "pl", "ja"} {
		for args, want := range map[string]string{
			"leases": "nod leases --json", "lease": "nod lease revoke l42", "lease grant": "--folder ~/src/web", "lease revoke": "nod lease revoke --all",
			"stop": "nod stop --all", "say": "--when-busy interrupt", "allow": "nod allow 7f3a --for 20m --times 30",
		} {
			clitest.Check(t, h.nod(0, []string{"NOD_LANG=" + lang}, append(strings.Fields(args), "--help")...), 0, want, "")
		}
	}
	clitest.Check(t, h.nod(0, nil, "lease"), 0, "nod lease grant", "")
}
