package voicebridge

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
)

// Session is one agent in the list of this wire.
type Session struct {
	Agent       int            `json:"agent_id"`
	NodID       nod.AgentID    `json:"nod_id"`
	Name        string         `json:"name"`
	Hero        string         `json:"hero_chars"`
	Trail       string         `json:"hero_trail"`
	Project     string         `json:"project"`
	ProjectID   int            `json:"project_id"`
	Folder      string         `json:"project_path"`
	Host        string         `json:"host"`
	State       string         `json:"state"`
	NodState    nod.AgentState `json:"nod_state"`
	Label       string         `json:"state_label"`
	Awaiting    bool           `json:"awaiting_input"`
	Instruction string         `json:"command_instruction"`
	Summary     string         `json:"command_summary"`
	Completion  string         `json:"command_completion_summary"`
	Turns       int            `json:"turn_count"` // of the newest command
	Doing       string         `json:"summary"`
	Activity    string         `json:"last_activity_ago"`
	Context     *Memory        `json:"context"`             // null: unknown
	Talk        string         `json:"assistant,omitempty"` // if it has no terminal: the assistant of the conversation
	Reachable   bool           `json:"commander_available"`
	Problem     string         `json:"problem,omitempty"`
	Started     time.Time      `json:"started_at"`
	Unread      bool           `json:"has_unread"`
	Ended       bool           `json:"ended,omitempty"`
	EndedAt     *time.Time     `json:"ended_at,omitempty"`
}

// keepEnded is how long ended agents are listed for clients that ask for them.
const keepEnded = 24 * time.Hour

func (c *call) sessions() error {
	if err := c.parameters("include_ended"); err != nil {
		return err
	}
	s, err := c.scene()
	if err != nil {
		return err
	}
	live, ended := []Session{}, []Session{}
	v := Voice{}
	var needy []string
	for _, a := range s.Agents {
		if !a.Alive() && (c.values.Get("include_ended") != "true" || c.Now().Sub(a.Since) > keepEnded) {
			continue
		}
		talk, err := s.talk(a.ID)
		if err != nil {
			return err
		}
		at := stateOf(a, talk.at, s.underway(a.ID))
		one := c.session(s, a, talk, at)
		if one.Ended {
			ended = append(ended, one)
			continue
		}
		live = append(live, one)
		if at == awaitingInput {
			needy = append(needy, s.name(a))
			v.Results = slices.Insert(v.Results, len(needy)-1, c.line(s, a, &one, at)...)
		} else {
			v.Results = append(v.Results, c.line(s, a, &one, at)...)
		}
	}
	slices.Reverse(ended) // newest first
	c.overview(&v, len(live), needy)
	body := map[string]any{"agents": live, "settings": map[string]any{"auto_target": true}}
	if c.values.Get("include_ended") == "true" {
		body["ended_agents"] = ended
	}
	return c.answerWith(http.StatusOK, v, body)
}

// overview says how many agents there are, and which need the person.
func (s speaker) overview(v *Voice, live int, needy []string) {
	if live == 0 {
		v.Status = s.say.Say(words.VoiceNoAgents)
		return
	}
	v.Status = s.say.Count(words.VoiceAgents, live)
	if len(needy) > 0 {
		v.Status += " " + s.say.Count(words.VoiceNeedYou, len(needy))
		v.Next = s.say.Say(words.VoiceAnswerIt, strings.Join(needy[:min(3, len(needy))], ", "))
	}
	most := []int{concise: 3, normal: 6, detailed: 50}[s.much]
	if len(v.Results) > most {
		v.Results = append(v.Results[:most], s.say.Say(words.VoiceMore))
	}
}

// line is what is said about one agent.
func (c *call) line(s *scene, a *nod.Agent, one *Session, at state) []string {
	line := c.doing(s.name(a), a, at)
	if c.much >= normal {
		line += " " + c.say.Say(words.VoiceFor, c.say.SpokenSpan(c.Now().Sub(a.Since)))
	}
	if doing := c.brief(one.Doing, 120); c.much == detailed && doing != "" {
		line += " " + doing
	}
	return []string{line}
}

func (c *call) session(s *scene, a *nod.Agent, talk *conversation, at state) Session {
	hero, trail := heroes(a.ID)
	one := Session{
		Agent: c.number(a.ID), NodID: a.ID, Name: a.Name, Hero: hero, Trail: trail, Project: a.Name, ProjectID: project(a.Host, a.Cwd), Folder: a.Cwd, Host: a.Host,
		State: at.upper(), NodState: a.State, Label: c.say.State(a.State), Awaiting: at == awaitingInput, Turns: talk.count,
		Doing: doingNow(s, a), Activity: c.say.Ago(c.Now().Sub(a.Seen)), Reachable: a.Alive() && a.Able(nod.CanSay),
		Problem: a.Problem, Started: a.Started, Unread: c.read.unread(a.ID, talk.spoken),
		Context: memoryOf(a),
	}
	if a.Talk != nil {
		one.Talk = a.Talk.Assistant
	}
	if at == awaitingInput {
		one.Label = c.say.Say(words.StateNeedsYou)
	}
	if w := talk.work; w != nil {
		one.Instruction = w.instruction()
		if w.state == complete {
			one.Completion = w.summary()
		}
		one.Summary = w.summary()
	}
	if one.Instruction == "" {
		one.Instruction = nod.Fold(nod.OneLine(firstLine(a.Prompt)), 120)
	}
	if !a.Alive() {
		since := a.Since
		one.Ended, one.EndedAt = true, &since
	}
	return one
}

// doingNow is what matters most about an agent, in its own words.
func doingNow(s *scene, a *nod.Agent) string {
	if open := s.open(a.ID); len(open) > 0 {
		return open[0].Title
	}
	for _, text := range []string{a.NeedsYou, a.Problem, a.Tool} {
		if text != "" {
			return text
		}
	}
	return nod.Fold(nod.OneLine(firstLine(a.Prompt)), 120)
}

// heroes are the first letters of an id, as cards show them.
func heroes(id nod.AgentID) (hero, trail string) {
	letters := string(id[:min(8, len(id))])
	return letters[:min(2, len(letters))], letters[min(2, len(letters)):]
}
