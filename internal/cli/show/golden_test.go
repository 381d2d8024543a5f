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
