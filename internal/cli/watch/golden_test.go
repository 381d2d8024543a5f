package watch

import (
	"testing"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/present/words"
)

func TestGoldenWatch(t *testing.T) {
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t, clitest.PushRequest(), clitest.AskRequest(), clitest.PlanRequest())
		s.m.Printer, s.m.width = lang, columns
		check("watch", s.screen())
		s.press("A")
		check("watch-always", s.screen())
		s.press("esc", "j", "2", "enter", "1", "3")
		check("watch-question", s.screen())
	})
}

func TestGoldenWatchLeases(t *testing.T) {
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t, clitest.LeasedRequest())
		s.m.Printer, s.m.width = lang, columns
		s.update(snapshotMsg{nod.Snapshot{Seq: 1, Agents: clitest.StoppingAgents(), Requests: []*nod.Request{clitest.LeasedRequest()}, Leases: clitest.SomeLeases()}})
		r := clitest.AutomaticRequest(nod.ViaLease)
		d := r.Decision
		r.Status, r.Decision = nod.Pending, nil
		s.raise(r)
		s.event(nod.Event{Kind: nod.RequestDecided, RequestID: r.ID, Decision: d})
		check("watch-leases", s.screen())
		for key, name := range map[string]string{"L": "grant", "R": "revoke", "X": "stop", "?": "help"} {
			s.press(key)
			check("watch-"+name, s.screen())
			s.press("esc")
		}
	})
}

func TestGoldenWatchAway(t *testing.T) {
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		s := newRig(t)
		s.m.Printer, s.m.width = lang, columns
		s.update(snapshotMsg{clitest.RemoteSnapshot()})
		check("watch-away", s.screen())
	})
}
