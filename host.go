package nod

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Host is a machine with agents. Most have a link of their own: a small hub there keeps asking and answering while
// this hub is away. Where several hubs share one log, each of them is a host too.
type Host struct {
	Name    string    `json:"name"`
	Hub     string    `json:"hub,omitempty"` // set if it has no link: the name of this hub among those that share the log
	Version string    `json:"version,omitempty"`
	Up      bool      `json:"up"`
	Since   time.Time `json:"since"` // when it connected or disconnected
	// Log names the host's own log, and Heard is how far it has been imported here: both are facts of one commit, so
	// that nothing is imported twice.
	Log   string `json:"log,omitempty"`
	Heard Seq    `json:"heard"`
	Visit string `json:"visit,omitempty"` // its current connection; a late disconnect of an older one is ignored

	Assistants []Assistant `json:"assistants,omitempty"` // available for conversations there, under the host's own names
}

// Away returns the host of an agent that is out of reach now, or nil: decisions and messages wait until the host is
// back.
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

// HostOf returns the host through which an agent is reached, or nil if none is known: an agent of a single hub is
// local.
func (s *State) HostOf(a *Agent) *Host {
	if a.Hub == "" {
		return nil
	}
	if link, ok := strings.CutPrefix(a.Hub, LinkRoom); ok { // such an agent has its link's room as hub
		return s.Hosts[link]
	}
	return s.Hosts[hubKey(a.Hub)]
}

// HostList lists all machines that were ever linked, by name.
func (s *State) HostList() []*Host {
	return slices.DeleteFunc(s.allHosts(), func(h *Host) bool { return h.Hub != "" })
}

// HubList lists the hubs that share the log, by name; it is empty for a single hub.
func (s *State) HubList() []*Host {
	return slices.DeleteFunc(s.allHosts(), func(h *Host) bool { return h.Hub == "" })
}

func (s *State) allHosts() []*Host {
	return slices.SortedFunc(maps.Values(s.Hosts), func(a, b *Host) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Hub, b.Hub))
	})
}

// HubNamed returns the record of a hub that shares the log, or nil.
func (s *State) HubNamed(name string) *Host { return s.Hosts[hubKey(name)] }

// Key is the host's key in a State: hubs are kept apart from links, which may bear the same machine's name.
func (h *Host) Key() string {
	if h.Hub != "" {
		return hubKey(h.Hub)
	}
	return h.Name
}

// HubKey is the prefix of hubs' keys; a link's name must not begin with it.
const HubKey = "hub/"

func hubKey(hub string) string { return HubKey + hub }

// VisitTo names a connection of a link, by the hub at the other end.
func VisitTo(hub, letters string) string { return hub + "/" + letters }

// Visits reports whether a link is connected to one particular hub of those that share the log: when that hub is
// gone, no other hub can report that the link is gone too.
func (h *Host) Visits(hub string) bool {
	at := strings.LastIndexByte(h.Visit, '/')
	return h.Hub == "" && h.Up && at >= 0 && h.Visit[:at] == hub
}

// keepGone is how long nod remembers an absent hub without agents: short-lived machines each come with a new name.
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
