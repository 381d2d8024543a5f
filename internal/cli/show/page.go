// Package show turns requests, agents, leases and events into lines of text.
package show

import (
	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// Page is a layout that knows the hosts.
type Page struct {
	term.Layout
	Locations *Locations // nil: unknown
}

// Locations says which hosts there are. Without it a page names every host and shows
// none as away.
type Locations struct {
	state *nod.State
	lone  string // the only host, whose name is not worth showing
}

func LocationsOf(s *nod.State) *Locations {
	names := map[string]bool{}
	for _, a := range s.Agents {
		if a.Alive() {
			names[a.Host] = true
		}
	}
	for _, r := range s.Requests {
		if !r.Settled() {
			names[r.Agent.Host] = true
		}
	}
	for _, h := range s.Hosts {
		names[h.Name] = true
	}
	at := &Locations{state: s}
	if len(names) == 1 {
		for at.lone = range names {
		}
	}
	return at
}

// With is the page with the hosts of a snapshot.
func (p Page) With(snap nod.Snapshot) Page {
	s := StateOf(snap)
	p.Locations = LocationsOf(&s)
	return p
}

// agentName is the name of an agent, and its host if there are several.
func agentName(p Page, id nod.AgentID, name, host string) string {
	away := awaySince(p, id)
	if p.Locations != nil && host == p.Locations.lone && away == "" {
		host = ""
	}
	return term.Join(NameOnHost(p, name, host), away)
}

// awaySince says how long an agent's host has been away, or nothing.
func awaySince(p Page, id nod.AgentID) string {
	if h := p.away(id); h != nil {
		return p.Say(words.HostAwayFor, p.Span(p.Now.Sub(h.Since)))
	}
	return ""
}

// AnswerDelay says that an answer waits for the host to come back, or nothing.
func AnswerDelay(p Page, r *nod.Request) string {
	decided := r.Status == nod.Decided && r.Step() == nod.StepDecided // and not delivered
	if h := p.away(r.Agent.ID); h != nil && (decided || !r.Settled()) {
		return p.Say(words.HostAnswerWaits, nod.OneLine(h.Name))
	}
	return ""
}

func (p Page) away(id nod.AgentID) *nod.Host {
	if p.Locations == nil {
		return nil
	}
	return p.Locations.state.Away(id)
}

func StateOf(snap nod.Snapshot) nod.State {
	s := nod.NewState()
	s.Seq = snap.Seq
	for _, a := range snap.Agents {
		s.Agents[a.ID] = a
	}
	for _, r := range snap.Requests {
		s.Requests[r.ID] = r
	}
	for _, l := range snap.Leases {
		s.Leases[l.ID] = l
	}
	for _, m := range snap.Messages {
		s.Messages[m.ID] = m
	}
	s.Hosts = map[string]*nod.Host{}
	for _, h := range snap.Hosts {
		s.Hosts[h.Key()] = h
	}
	return s
}

func agentSymbol(a *nod.Agent) (string, term.Tone) {
	if a.Stopping != nil {
		return term.SymbolWorking, term.Bad
	}
	switch a.State {
	case nod.AgentWorking:
		return term.SymbolWorking, term.Busy
	case nod.AgentWaiting:
		return term.SymbolAsks, term.Asks
	case nod.AgentLimited:
		return term.SymbolLimited, term.Held
	case nod.AgentError:
		return term.SymbolStopped, term.Bad
	}
	return term.SymbolQuiet, term.Quiet
}

func riskSymbol(level string) (string, term.Tone) {
	switch level {
	case "read":
		return "○", term.Quiet
	case "write":
		return "✎", term.Busy
	case "network":
		return "⇄", term.Held
	case "destructive":
		return "▲", term.Bad
	case "secret":
		return "◉", term.Bad
	}
	return "?", term.Asks
}

// RequestSymbol shows the status of a request.
func RequestSymbol(r *nod.Request) (string, term.Tone) {
	switch {
	case !r.Settled():
		return term.SymbolAsks, term.Asks
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictDeny:
		return term.SymbolStopped, term.Bad
	case r.Status == nod.Decided:
		return term.SymbolDone, term.Good
	}
	return term.SymbolQuiet, term.Quiet
}
