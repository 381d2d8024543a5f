package nod_test

import (
	"fmt"
	"testing"
	"time"

	"nod"
)

var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func hosts(at time.Time, s *nod.State, list ...nod.Host) {
	for _, h := range list {
		s.Apply(&nod.Event{Seq: s.Seq + 1, At: at, Kind: nod.HostChanged, Host: &h})
	}
}

func TestAgentIsAwayWithItsHost(t *testing.T) {
	s := nod.NewState()
	hosts(morning, &s,
		nod.Host{Name: "desk", Since: morning},                // a link that is away
		nod.Host{Name: "desk", Hub: "desk-1", Up: true},       // and hubs on a machine of that name
		nod.Host{Name: "desk", Hub: "desk-2", Since: morning}, //
		nod.Host{Name: "laptop", Log: "l", Heard: 7, Up: true},
	)
	for _, c := range []struct {
		hub  string
		away bool
	}{
		{"link:desk", true}, {"desk-1", false}, {"desk-2", true}, {"link:laptop", false},
		{"", false}, {"desk", false}, {"link:nowhere", false}, {"hub-of-a-release-before", false},
	} {
		id := nod.AgentID("a" + c.hub)
		s.Apply(&nod.Event{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: id, Host: "desk", Hub: c.hub, State: nod.AgentIdle}})
		if got := s.Away(id) != nil; got != c.away {
			t.Errorf("an agent of %q: away is %v", c.hub, got)
		}
		s.Apply(&nod.Event{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: id, Host: "desk", Hub: c.hub, State: nod.AgentEnded}})
		if s.Away(id) != nil {
			t.Errorf("an agent of %q that has ended is away", c.hub)
		}
	}
	if s.Away("nobody") != nil {
		t.Error("nobody is away")
	}
	if got := fmt.Sprint(len(s.HostList()), len(s.HubList()), len(s.Snapshot().Hosts)); got != "2 2 4" {
		t.Errorf("links, hubs, all: %s", got)
	}
	if h := s.Hosts["desk"]; h == nil || h.Hub != "" {
		t.Error("a hub has taken the place of a link")
	}
}

func TestGoneHubIsForgottenWithoutAgents(t *testing.T) {
	s := nod.NewState()
	s.Apply(&nod.Event{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: "a", Hub: "with-agent", State: nod.AgentIdle}})
	hosts(morning, &s,
		nod.Host{Name: "old", Hub: "old", Since: morning}, nod.Host{Name: "kept", Hub: "with-agent", Since: morning},
		nod.Host{Name: "link", Since: morning}, nod.Host{Name: "here", Hub: "here", Up: true, Since: morning})
	for _, c := range []struct {
		days  int
		hosts int
	}{{6, 5}, {8, 4}} {
		hosts(morning.AddDate(0, 0, c.days), &s, nod.Host{Name: "new", Hub: "new", Up: true})
		if len(s.Hosts) != c.hosts {
			t.Errorf("after %d days: %d hosts", c.days, len(s.Hosts))
		}
	}
	if s.HubNamed("old") != nil || s.HubNamed("with-agent") == nil || s.HubNamed("here") == nil {
		t.Errorf("%v", s.Hosts)
	}
}
