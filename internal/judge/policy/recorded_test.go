package policy

import (
	"fmt"
	"testing"

	"nod"
)

// A lease counts as one approval by a person, however often it was used.
func TestLeaseCountsAsOneApproval(t *testing.T) {
	decided := func(via string, under nod.LeaseID, v nod.Verdict) *nod.Request {
		return &nod.Request{ID: "r", AskedAt: day(1), Decision: &nod.Decision{Answer: nod.Answer{Verdict: v}, Via: via, Under: under, At: day(1)}}
	}
	for _, c := range []struct {
		name     string
		request  *nod.Request
		byPerson bool
		verdict  Verdict
		before   Verdict
	}{
		{"a person", decided("terminal", "", nod.VerdictAllow), true, Allow, Ask},
		{"a person's no", decided("web", "", nod.VerdictDeny), true, Deny, Ask},
		{"a rule", decided(nod.ViaPolicy, "", nod.VerdictAllow), false, Allow, Allow},
		{"a lease", decided(nod.ViaLease, "l1", nod.VerdictAllow), true, "", Ask},
		{"a lease by its id alone", decided("terminal", "l1", nod.VerdictAllow), true, "", Ask},
	} {
		p := Recorded(c.request, bashSubject("make"))
		if p.ByPerson != c.byPerson || p.Verdict != c.verdict || p.before() != c.before {
			t.Errorf("%s: by a person %t, %q, before %q", c.name, p.ByPerson, p.Verdict, p.before())
		}
	}
	var leased, asked []Past
	for range 9 {
		leased = append(leased, Recorded(decided(nod.ViaLease, "l1", nod.VerdictAllow), bashSubject("make")))
		asked = append(asked, Recorded(decided("web", "", nod.VerdictAllow), bashSubject("make")))
	}
	if got := Suggest(leased, must(t, Config{}), day(0)); len(got) != 0 {
		t.Errorf("a lease makes a habit: %v", got)
	}
	if got := Suggest(append(asked, leased...), must(t, Config{}), day(0)); len(got) != 1 || fmt.Sprint(got[0].Allowed, got[0].WouldAllow) != "9 18" {
		t.Errorf("answers of a person beside a lease: %+v", got)
	}
	// Replay: nothing changes for what a lease answered, unless a rule now does.
	if r := Replay(leased, must(t, Config{})); r.Same != len(leased) {
		t.Errorf("%d of %d the same", r.Same, len(leased))
	}
	if r := Replay(leased, must(t, Config{Deny: []string{"Bash(make)"}})); len(r.Denied) != len(leased) || r.Denied[0].Against {
		t.Errorf("%+v", r)
	}
}
