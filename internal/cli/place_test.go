package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
)

// someHosts: two hubs on one machine, and a laptop that has been away for five minutes.
func someHosts() []*nod.Host {
	return []*nod.Host{
		{Name: "desk", Hub: "desk-1a2b3c", Up: true, Since: noon.Add(-2 * time.Hour), Version: "1.4.0"},
		{Name: "laptop", Since: noon.Add(-5 * time.Minute), Version: "1.4.0"},
		{Name: "nas", Hub: "nas-77aa01", Up: true, Since: noon.Add(-2 * time.Hour), Version: "1.4.0"},
		{Name: "nas", Hub: "nas-77aa02", Since: noon.Add(-3 * 24 * time.Hour), Version: "1.3.9"},
	}
}

func farAgents() []*nod.Agent {
	agents := someAgents()
	agents[0].Hub = "desk-1a2b3c"
	agents[1].Host, agents[1].Hub = "laptop", nod.LinkRoom+"laptop"
	agents[2].Hub = "nas-77aa02"
	return agents
}

func farRequest() *nod.Request {
	r := pushRequest()
	a := farAgents()[1]
	r.Agent = a.Ref()
	return r
}

func farSnapshot() nod.Snapshot {
	return nod.Snapshot{Seq: 1, Agents: farAgents(), Requests: []*nod.Request{farRequest(), testRequest()}, Hosts: someHosts()}
}

func TestWatchSeesAHostComeBack(t *testing.T) {
	s := newRig(t)
	s.hear(freshMsg{farSnapshot()})
	s.at = s.at.Add(time.Second)
	const waits, away = "laptop is away: your answer waits", "web on laptop · away 5 min"
	if got := s.screen(); !strings.Contains(got, waits) || strings.Count(got, away) != 2 {
		t.Fatalf("away:\n%s", got)
	}
	s.press("enter")
	if got := s.screen(); !strings.Contains(got, waits) {
		t.Errorf("read in full:\n%s", got)
	}
	s.press("esc", "a", "y")
	if len(s.sent) != 1 {
		t.Errorf("it cannot be answered: %q\n%s", s.sent, s.screen())
	}
	s.event(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Up: true, Since: s.at}})
	if got := s.screen(); strings.Contains(got, waits) || strings.Contains(got, away) || !strings.Contains(got, "web on laptop") {
		t.Errorf("back:\n%s", got)
	}
}

// Where there is one machine, its name says nothing; with a second, it does.
func TestAHostIsNamedWhereThereAreSeveral(t *testing.T) {
	h := newRunner(t)
	h.agent(&nod.Agent{ID: "a-api", Name: "api", Host: "desk", Cwd: "/src", State: nod.AgentWorking, Since: noon})
	h.raise(pushRequest())
	for _, args := range [][]string{{"agents"}, {"requests"}, {"show", "7f3a"}} {
		if got := h.nod(100, nil, args...); got.exit != 0 || strings.Contains(got.out, "api on desk") || !strings.Contains(got.out, "api") {
			t.Errorf("nod %s on one machine:\n%s%s", args[0], got.out, got.err)
		}
	}
	h.agent(&nod.Agent{ID: "a-far", Name: "web", Host: "laptop", Hub: nod.LinkRoom + "laptop", Cwd: "/src", State: nod.AgentIdle, Since: noon})
	h.add(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Since: noon.Add(-time.Hour)}})
	for _, args := range [][]string{{"agents"}, {"requests"}, {"show", "7f3a"}} {
		if got := h.nod(100, nil, args...); !strings.Contains(got.out, "api on desk") || strings.Contains(got.out, "away") != (args[0] == "agents") {
			t.Errorf("nod %s on two:\n%s", args[0], got.out)
		}
	}
}

// Nobody waits for proof from a machine that is not there.
func TestAnAnswerForAHostThatIsAway(t *testing.T) {
	h := newRunner(t)
	h.afterDecide, h.patience = nil, time.Hour
	h.agent(&nod.Agent{ID: "a-api", Name: "api", Host: "laptop", Hub: nod.LinkRoom + "laptop", State: nod.AgentWaiting, Since: noon})
	h.add(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Since: noon}})
	h.raise(pushRequest())
	check(t, h.nod(100, nil, "allow", "7f3a"), 0, "Allowed", "laptop is away: your answer waits until it is back.")
}
