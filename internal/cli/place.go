package cli

import (
	"nod"
	"nod/internal/present/words"
)

// locations are where agents are. A page without them names every host, and knows of
// none that is away.
type locations struct {
	state *nod.State
	lone  string // the one machine there is: its name tells nobody anything
}

func locationsOf(s *nod.State) *locations {
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
	at := &locations{state: s}
	if len(names) == 1 {
		for at.lone = range names {
		}
	}
	return at
}

// page is a layout with what is known about where agents are.
type page struct {
	layout
	at *locations // nil: not asked
}

// among is the page with what a snapshot says about places.
func (p page) among(snap nod.Snapshot) page {
	s := stateOf(snap)
	p.at = locationsOf(&s)
	return p
}

// agentName is an agent's name, and where it is if that is worth a word.
func agentName(p page, id nod.AgentID, name, host string) string {
	away := awaySince(p, id)
	if p.at != nil && host == p.at.lone && away == "" {
		host = ""
	}
	return join(nameOnHost(p, name, host), away)
}

// awaySince is since when nobody reaches an agent's host, or nothing.
func awaySince(p page, id nod.AgentID) string {
	if h := p.away(id); h != nil {
		return p.Say(words.HostAwayFor, p.Span(p.now.Sub(h.Since)))
	}
	return ""
}

// answerDelay says when an answer to a request arrives only later, or nothing.
func answerDelay(p page, r *nod.Request) string {
	decided := r.Status == nod.Decided && r.Step() == nod.StepDecided // and nobody there knows yet
	if h := p.away(r.Agent.ID); h != nil && (decided || !r.Settled()) {
		return p.Say(words.HostAnswerWaits, nod.OneLine(h.Name))
	}
	return ""
}

func (p page) away(id nod.AgentID) *nod.Host {
	if p.at == nil {
		return nil
	}
	return p.at.state.Away(id)
}
