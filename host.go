package nod

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Host is a machine with agents. Most have a link of their own: a small hub there
// keeps asking and answering while this one is away. Where several hubs share one
// log, each of them is a host too.
type Host struct {
	Name    string    `json:"name"`
	Hub     string    `json:"hub,omitempty"` // it has no link: it is this one of the hubs that share the log
	Version string    `json:"version,omitempty"`
	Up      bool      `json:"up"`
	Since   time.Time `json:"since"` // when it came or went
	// Log names the host's own log, and Heard is how far this one has taken it in:
	// both are facts of one commit, so that nothing is taken in twice.
	Log   string `json:"log,omitempty"`
	Heard Seq    `json:"heard"`
	Visit string `json:"visit,omitempty"` // which connection it is here by; a late goodbye of an older one counts for nothing

	Assistants []Assistant `json:"assistants,omitempty"` // whom conversations can be opened with there, as it calls them
}

// Away is where an agent is that nobody reaches now, or nil: what people decide
// and say waits until its host is back.
func (s *State) Away(id AgentID) *Host {
	a, ok := s.Agents[id]
	if !ok || !a.Alive() {
		return nil
	}
	if h := s.HostOf(a); h != nil && !h.Up {
		return h
	}
	return nil
}

// HostOf is the host by which an agent is reached, or nil where none is known: an
// agent of a hub that is alone is simply there.
func (s *State) HostOf(a *Agent) *Host {
	if a.Hub == "" {
		return nil
	}
	if link, ok := strings.CutPrefix(a.Hub, LinkRoom); ok { // such an agent has the room of its link for a hub
		return s.Hosts[link]
	}
	return s.Hosts[hubKey(a.Hub)]
}

// HostList lists the machines that were ever linked, by name.
func (s *State) HostList() []*Host {
	return slices.DeleteFunc(s.allHosts(), func(h *Host) bool { return h.Hub != "" })
}

// HubList lists the hubs that share the log, by name; one that is alone is none.
func (s *State) HubList() []*Host {
	return slices.DeleteFunc(s.allHosts(), func(h *Host) bool { return h.Hub == "" })
}

func (s *State) allHosts() []*Host {
	return slices.SortedFunc(maps.Values(s.Hosts), func(a, b *Host) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Hub, b.Hub))
	})
}

// HubNamed is what is known of one of the hubs that share the log, or nil.
func (s *State) HubNamed(name string) *Host { return s.Hosts[hubKey(name)] }

// Key is where a State keeps the host: hubs apart from links, which may have the
// name of the same machine.
func (h *Host) Key() string {
	if h.Hub != "" {
		return hubKey(h.Hub)
	}
	return h.Name
}

// HubKey is what the keys of hubs begin with: no link may be called so.
const HubKey = "hub/"

func hubKey(hub string) string { return HubKey + hub }

// VisitTo names a connection of a link, by the hub that it is with.
func VisitTo(hub, letters string) string { return hub + "/" + letters }

// Visits reports whether a link is here by a connection to one of the hubs that share
// the log: when that hub is gone, nobody else can say that the link is too.
func (h *Host) Visits(hub string) bool {
	at := strings.LastIndexByte(h.Visit, '/')
	return h.Hub == "" && h.Up && at >= 0 && h.Visit[:at] == hub
}

// keepGone is how long a hub is remembered that is away and has no agents: where
// machines are made and thrown away, each comes with a name of its own.
const keepGone = 7 * 24 * time.Hour

func (s *State) applyHost(h *Host, at time.Time) {
	if s.Hosts == nil {
		s.Hosts = map[string]*Host{}
	}
	if s.Hosts[h.Key()] = h; h.Hub == "" {
		return
	}
	drives := map[string]bool{}
	for _, a := range s.Agents {
		drives[a.Hub] = drives[a.Hub] || a.Alive()
	}
	maps.DeleteFunc(s.Hosts, func(_ string, old *Host) bool {
		return old.Hub != "" && !old.Up && !drives[old.Hub] && at.Sub(old.Since) > keepGone
	})
}
