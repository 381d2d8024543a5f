package voicebridge

import (
	"net/http"
	"path"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// scene is what there is now: the agents, what they ask, what is under way.
type scene struct {
	nod.Snapshot
	speaker
	sameName map[string]int // how many live agents have a name
	number   func(nod.AgentID) int
	talk     func(id nod.AgentID) (*conversation, error)
}

// scene looks at what there is now.
func (c *call) scene() (*scene, error) {
	snap, err := c.desk().Snapshot(c.r.Context())
	if err != nil {
		return nil, err
	}
	s := &scene{Snapshot: snap, speaker: c.speaker, sameName: map[string]int{}, number: c.number}
	s.talk = func(id nod.AgentID) (*conversation, error) {
		h, err := load(c.r.Context(), c.desk(), id, s.end(), 1, c.say)
		if err != nil {
			return nil, err
		}
		return h.talk, nil
	}
	for _, a := range snap.Agents {
		if a.Alive() {
			s.sameName[a.Name]++
		}
	}
	return s, nil
}

// agentCall is a call about one agent.
type agentCall struct {
	*call
	now   *scene
	agent *nod.Agent
	name  string // what the agent is called aloud
}

func (c *call) with(s *scene, a *nod.Agent) *agentCall { return &agentCall{c, s, a, s.name(a)} }

// agentOfPath finds the agent that the path names.
func (c *call) agentOfPath() (*agentCall, error) {
	s, err := c.scene()
	if err != nil {
		return nil, err
	}
	a, err := s.find(c.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return c.with(s, a), nil
}

// end is the sequence number after what this scene shows.
func (s *scene) end() nod.Seq { return s.Seq + 1 }

// open are an agent's requests that wait, oldest first.
func (s *scene) open(id nod.AgentID) []*nod.Request {
	var list []*nod.Request
	for _, r := range s.Requests {
		if r.Agent.ID == id {
			list = append(list, r)
		}
	}
	return list
}

func (s *scene) underway(id nod.AgentID) bool {
	for _, m := range s.Messages {
		if m.Agent == id {
			return true
		}
	}
	return false
}

// name is what an agent is called aloud: with its folder's parent or its host
// when two have the same name.
func (s *scene) name(a *nod.Agent) string {
	name := spokenName(a.Name)
	if a.Talk != nil { // its folder is its assistant's, so its room tells it apart
		if s.sameName[a.Name] > 1 && a.Talk.Room != "" {
			return s.say.Say(words.VoiceInFolder, name, spokenName(a.Talk.Room))
		}
		return name
	}
	if s.sameName[a.Name] > 1 {
		if parent := spokenName(path.Base(path.Dir(a.Cwd))); parent != "" && parent != name {
			return s.say.Say(words.VoiceInFolder, name, parent)
		}
		return s.say.Say(words.VoiceOnHost, name, spokenName(a.Host))
	}
	return name
}

func spokenName(name string) string { return ear.Name(name) }

// stateOf is the agent's state on this wire.
func (s *scene) stateOf(a *nod.Agent) (state, error) {
	underway := s.underway(a.ID)
	if a.State != nod.AgentIdle || a.NeedsYou != "" || underway {
		return stateOf(a, idle, underway), nil
	}
	talk, err := s.talk(a.ID)
	if err != nil {
		return "", err
	}
	return stateOf(a, talk.at, underway), nil
}

// target finds the agent that words are for when none is named: the only one that
// waits, or else the only one that is free.
func (s *scene) target() (*nod.Agent, error) {
	var waiting, free, alive []*nod.Agent
	for _, a := range s.Agents {
		if !a.Alive() {
			continue
		}
		alive = append(alive, a)
		at, err := s.stateOf(a)
		switch {
		case err != nil:
			return nil, err
		case at == awaitingInput:
			waiting = append(waiting, a)
		case at == idle && a.State == nod.AgentIdle && a.Able(nod.CanSay) && !boundToRoom(a):
			free = append(free, a)
		}
	}
	switch {
	case len(waiting) == 1:
		return waiting[0], nil
	case len(waiting) > 1:
		return nil, s.which(waiting, "multiple_agents", s.say.Count(words.VoiceSeveralWait, len(waiting)))
	case len(free) == 1:
		return free[0], nil
	}
	return nil, s.which(alive, "no_agent_waiting", s.say.Say(words.VoiceNobody))
}

// boundToRoom reports whether an agent is a conversation that ends by itself: it is
// held on another surface, so words without a name are not for it.
func boundToRoom(a *nod.Agent) bool { return a.Talk != nil && a.Talk.Context > 0 }

// mostNamed is how many agents are named one by one.
const mostNamed = 5

// which refuses to guess, and names the agents that could be meant.
func (s *scene) which(agents []*nod.Agent, word, status string) error {
	v := Voice{Status: status}
	list := []map[string]any{}
	for _, a := range agents[:min(len(agents), mostNamed)] {
		at, err := s.stateOf(a)
		if err != nil {
			return err
		}
		v.Results = append(v.Results, s.doing(s.name(a), a, at))
		list = append(list, map[string]any{"agent_id": s.number(a.ID), "nod_id": a.ID, "name": a.Name, "state": at.upper()})
	}
	if len(agents) > 0 {
		v.Next = s.say.Say(words.VoiceWhich)
	}
	err := nod.Errorf(nod.Conflict, "say for which agent it is, with agent_id; GET /api/voice/sessions lists them")
	return &problem{error: err, status: http.StatusConflict, word: word, voice: v, more: map[string]any{"agents": list}}
}

// doing is one sentence about what an agent does.
func (s speaker) doing(name string, a *nod.Agent, at state) string {
	switch {
	case a.State == nod.AgentEnded:
		return s.say.Say(words.VoiceEnded, name)
	case a.Stopping != nil:
		return s.say.Say(words.VoiceStopping, name)
	case at == awaitingInput:
		return s.say.Say(words.VoiceNeeds, name)
	case a.State == nod.AgentLimited:
		return s.say.Say(words.VoiceLimited, name)
	case a.State == nod.AgentError:
		return s.say.Say(words.VoiceFailed, name)
	case at == processing:
		return s.say.Say(words.VoiceWorking, name)
	case at == commanded:
		return s.say.Say(words.VoiceReceived, name)
	}
	return s.say.Say(words.VoiceIdle, name)
}
