package notify

import (
	"strings"
	"testing"

	"nod"
)

func TestTicketWorksOnce(t *testing.T) {
	var all Tickets
	code := all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictAllow, Channel: "phone"})
	other := all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictDeny, Channel: "phone"})
	if len(code) != 43 || code == other {
		t.Fatalf("codes %q and %q", code, other)
	}
	if k, ok := all.Find(code); !ok || k.Verdict != nod.VerdictAllow || k.Request != "r1" {
		t.Errorf("found %+v", k)
	}
	if k, ok := all.Take(code); !ok || k.Verdict != nod.VerdictAllow {
		t.Errorf("took %+v", k)
	}
	if _, ok := all.Take(code); ok {
		t.Error("it was good twice")
	}
	if k, ok := all.Take(other); !ok || k.Verdict != nod.VerdictDeny {
		t.Error("the other one is gone too")
	} else if all.Return(k); len(all.All()) != 1 {
		t.Error("it was not given back")
	}
	for _, bad := range []string{"", "x", code[:42], strings.Repeat("A", 43)} {
		if _, ok := all.Find(bad); ok {
			t.Errorf("%q is good", bad)
		}
	}
}

func TestTicketsEndWithTheirRequestAndSurviveARestart(t *testing.T) {
	var all, after Tickets
	one := all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictAllow, Channel: "phone"})
	two := all.Issue(Ticket{Request: "r2", Verdict: nod.VerdictAllow, Channel: "phone"})
	after.Restore(all.All())
	after.Keep(func(id nod.RequestID) bool { return id == "r2" })
	if _, ok := after.Find(one); ok {
		t.Error("the ticket of a settled request is good")
	}
	if _, ok := after.Find(two); !ok {
		t.Error("the ticket of a request that waits is gone")
	}
}

func TestRepeatedNotificationLeavesFewTickets(t *testing.T) {
	var all Tickets
	first := all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictDeny, Channel: "phone"})
	kept := all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictDeny, Channel: "watch"})
	var last string
	for range 20 {
		last = all.Issue(Ticket{Request: "r1", Verdict: nod.VerdictDeny, Channel: "phone"})
	}
	if n := len(all.All()); n != mostAlike+1 {
		t.Errorf("%d tickets are left", n)
	}
	if _, ok := all.Find(first); ok {
		t.Error("the oldest is still good")
	}
	for _, code := range []string{last, kept} {
		if _, ok := all.Find(code); !ok {
			t.Error("one that should be good is not")
		}
	}
}
