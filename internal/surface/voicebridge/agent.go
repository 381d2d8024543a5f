package voicebridge

import (
	"net/http"
	"path"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// scene is what there is now: the agents, what they ask, what is under way.
type scene struct {
	nod.Snapshot
	twins map[string]int // how many live agents have a name
}

func (c *call) scene() (*scene, error) {
	snap, err := c.desk().Snapshot(c.r.Context())
	if err != nil {
		return nil, err
	}
	s := &scene{Snapshot: snap, twins: map[string]int{}}
	for _, a := range snap.Agents {
		if a.Alive() {
			s.twins[a.Name]++
		}
	}
	return s, nil
}

// end is the place in the log behind what this scene shows.
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
func (c *call) name(s *scene, a *nod.Agent) string {
	name := spokenName(a.Name)
	if a.Talk != nil { // its folder is its assistant's; where it is held tells it apart
		if s.twins[a.Name] > 1 && a.Talk.Room != "" {
			return c.say.Say(words.VoiceInFolder, name, spokenName(a.Talk.Room))
		}
		return name
	}
	if s.twins[a.Name] > 1 {
		if parent := spokenName(path.Base(path.Dir(a.Cwd))); parent != "" && parent != name {
			return c.say.Say(words.VoiceInFolder, name, parent)
		}
		return c.say.Say(words.VoiceOnHost, name, spokenName(a.Host))
	}
	return name
}

func spokenName(name string) string { return ear.Name(name) }

const maxID = 200

// agent finds the agent of the path, by its id or by letters that only one has.
func (c *call) agent(s *scene) (*nod.Agent, error) { return c.find(s, c.r.PathValue("id")) }

func (c *call) find(s *scene, id string) (*nod.Agent, error) {
	if id == "" || len(id) > maxID || nod.OneLine(id) != id {
		return nil, c.noAgent(id)
	}
	var fits []*nod.Agent
	for _, a := range s.Agents {
		switch {
		case string(a.ID) == id:
			return a, nil
		case a.Alive() && strings.HasPrefix(string(a.ID), id):
			fits = append(fits, a)
		}
	}
	switch len(fits) {
	case 0:
		return nil, c.noAgent(id)
	case 1:
		return fits[0], nil
	}
	err := nod.Errorf(nod.Invalid, "%q fits more than one agent: type more letters of its id", id)
	return nil, &problem{error: err, status: http.StatusBadRequest, word: "ambiguous_agent", voice: Voice{Status: c.say.Say(words.VoiceAmbiguous), Next: c.say.Say(words.VoiceWhich)}}
}

func (c *call) noAgent(id string) error {
	err := nod.Errorf(nod.NotFound, "there is no agent %q; GET /api/voice/sessions lists them", nod.Fold(nod.OneLine(id), 60))
	return &problem{error: err, status: http.StatusNotFound, word: "agent_not_found", voice: Voice{Status: c.say.Say(words.VoiceUnknown)}}
}

// talk is where the conversation with an agent stands.
func (c *call) talk(s *scene, a *nod.Agent) (*conversation, error) {
	h, err := load(c.r.Context(), c.desk(), a.ID, s.end(), 1, c.say)
	if err != nil {
		return nil, err
	}
	return h.talk, nil
}

// stateOf is the agent's state on this wire.
func (c *call) stateOf(s *scene, a *nod.Agent) (state, error) {
	underway := s.underway(a.ID)
	if a.State != nod.AgentIdle || a.NeedsYou != "" || underway {
		return stateOf(a, idle, underway), nil
	}
	talk, err := c.talk(s, a)
	if err != nil {
		return "", err
	}
	return stateOf(a, talk.at, underway), nil
}

// target finds whom words are for when nobody was named: the one agent that
// waits, or else the one that is free to hear.
func (c *call) target(s *scene) (*nod.Agent, error) {
	var waiting, free, alive []*nod.Agent
	for _, a := range s.Agents {
		if !a.Alive() {
			continue
		}
		alive = append(alive, a)
		at, err := c.stateOf(s, a)
		switch {
		case err != nil:
			return nil, err
		case at == awaitingInput:
			waiting = append(waiting, a)
		case at == idle && a.State == nod.AgentIdle && a.Able(nod.CanSay) && !ofARoom(a):
			free = append(free, a)
		}
	}
	switch {
	case len(waiting) == 1:
		return waiting[0], nil
	case len(waiting) > 1:
		return nil, c.which(s, waiting, "multiple_agents", c.say.Count(words.VoiceSeveralWait, len(waiting)))
	case len(free) == 1:
		return free[0], nil
	}
	return nil, c.which(s, alive, "no_agent_waiting", c.say.Say(words.VoiceNobody))
}

// ofARoom: a conversation that ends by itself is held at some other door, and
// whoever names nobody here does not mean it.
func ofARoom(a *nod.Agent) bool { return a.Talk != nil && a.Talk.Context > 0 }

// mostNamed is how many agents are told one by one.
const mostNamed = 5

// which refuses to guess, and names who could be meant.
func (c *call) which(s *scene, agents []*nod.Agent, word, status string) error {
	v := Voice{Status: status}
	list := []map[string]any{}
	for _, a := range agents[:min(len(agents), mostNamed)] {
		at, err := c.stateOf(s, a)
		if err != nil {
			return err
		}
		v.Results = append(v.Results, c.doing(c.name(s, a), a, at))
		list = append(list, map[string]any{"agent_id": a.ID, "name": a.Name, "state": at.upper()})
	}
	if len(agents) > 0 {
		v.Next = c.say.Say(words.VoiceWhich)
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
