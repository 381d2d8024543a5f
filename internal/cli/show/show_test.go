package show

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

func TestBarIsEmptyOnlyWhenNothingIsLeft(t *testing.T) {
	p := Page{Layout: term.Layout{Now: clitest.Noon}}
	lease := func(minutes, used int) *nod.Lease {
		return &nod.Lease{Granted: clitest.Noon.Add(-time.Duration(60-minutes) * time.Minute), Until: clitest.Noon.Add(time.Duration(minutes) * time.Minute), Limit: 100, Used: used}
	}
	for _, tt := range []struct{ minutes, used, full int }{
		{60, 0, 8}, {59, 1, 8}, {30, 0, 4}, {60, 50, 4}, {30, 90, 1}, {1, 0, 1}, {60, 99, 1}, {60, 100, 0}, {0, 0, 0}, {-5, 0, 0},
	} {
		if got := strings.Count(LeaseBar(p, lease(tt.minutes, tt.used)), "▰"); got != tt.full {
			t.Errorf("%d min, %d used: %d cells, want %d", tt.minutes, tt.used, got, tt.full)
		}
	}
}

// Uses are counted from the snapshot on, and not shown for a lease that was not in it.
func TestUsesAreCountedFromTheSnapshot(t *testing.T) {
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

func TestStateOfASnapshotIsComplete(t *testing.T) {
	m := &nod.Message{ID: "m-00000001", Agent: "a-api", Status: nod.Queued}
	s := StateOf(nod.Snapshot{Seq: 9, Agents: clitest.SomeAgents(), Requests: []*nod.Request{clitest.GoTestRequest()}, Leases: clitest.SomeLeases(), Messages: []*nod.Message{m}})
	if !s.Current() || len(s.Agents) != 4 || len(s.Requests) != 1 || len(s.Leases) != 2 || len(s.MessagesTo("a-api")) != 1 {
		t.Errorf("%+v", s)
	}
}

// The screens, as people see them. Look at the files in testdata when one
// changes: they are the documentation.
func TestGoldenScreens(t *testing.T) {
	screens := map[string]func(Page) string{
		"requests": func(p Page) string {
			return RequestList(p, []*nod.Request{clitest.PushRequest(), clitest.GoTestRequest(), clitest.AskRequest(), clitest.PlanRequest()}, clitest.SomeAgents(), false)
		},
		"requests-all": func(p Page) string {
			return RequestList(p, []*nod.Request{clitest.GoTestRequest(), clitest.SettledRequest(nod.VerdictAllow), clitest.SettledRequest(nod.VerdictDeny), clitest.WithdrawnRequest()}, nil, true)
		},
		"quiet":    func(p Page) string { return RequestList(p, nil, clitest.SomeAgents(), false) },
		"approval": func(p Page) string { return strings.Join(RequestDetails(p, clitest.PushRequest(), "7f3a"), "\n") },
		"question": func(p Page) string { return strings.Join(RequestDetails(p, clitest.AskRequest(), "9c1d"), "\n") },
		"plan":     func(p Page) string { return strings.Join(RequestDetails(p, clitest.PlanRequest(), "b17e"), "\n") },
		"settled": func(p Page) string {
			return strings.Join(RequestDetails(p, clitest.SettledRequest(nod.VerdictAllow), "5e77"), "\n")
		},
		"evil": func(p Page) string {
			return strings.Join(RequestDetails(p, clitest.EvilRequest(clitest.Evil), "e511"), "\n")
		},
		"agents":         func(p Page) string { return AgentList(p, clitest.SomeAgents()) },
		"approval-lease": func(p Page) string { return strings.Join(RequestDetails(p, clitest.LeasedRequest(), "ca5e"), "\n") },
		"leases":         func(p Page) string { return LeaseList(p, clitest.SomeLeases(), NamesOf(clitest.SomeAgents())) },
		"agents-talk":    func(p Page) string { return AgentList(p, clitest.TalkingAgents()) },
		"agents-stop":    func(p Page) string { return AgentList(p, clitest.StoppingAgents()) },
		"requests-auto": func(p Page) string {
			return RequestList(p, []*nod.Request{clitest.AutomaticRequest(nod.ViaPolicy), clitest.AutomaticRequest(nod.ViaLease)}, clitest.SomeAgents(), true)
		},
		"settled-auto": func(p Page) string {
			return strings.Join(RequestDetails(p, clitest.AutomaticRequest(nod.ViaLease), "a070"), "\n")
		},
	}
	away := map[string]func(Page) string{
		"agents-away": func(p Page) string { return AgentList(p, Alive(clitest.RemoteAgents())) },
		"requests-away": func(p Page) string {
			return RequestList(p, clitest.RemoteSnapshot().Requests, clitest.RemoteAgents(), false)
		},
		"approval-away": func(p Page) string { return strings.Join(RequestDetails(p, clitest.RemoteRequest(), "7f3a"), "\n") },
	}
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := Page{Layout: term.Layout{Printer: lang, Columns: columns, Terminal: true, Now: clitest.Noon.Add(12 * time.Second)}}
		for name, draw := range screens {
			check(name, draw(p))
		}
		for name, draw := range away {
			check(name, draw(p.With(clitest.RemoteSnapshot())))
		}
	})
}
