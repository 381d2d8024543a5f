package voicebridge

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// number reads a parameter that counts.
func (c *call) numberOf(name string, usual, most int64) (int64, error) {
	text := c.values.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.ParseInt(text, 10, 62)
	if err != nil || n < 1 || n > most {
		return 0, nod.Errorf(nod.Invalid, "%s is a number from 1 to %d", name, most)
	}
	return n, nil
}

// Work is one command and what came of it.
type Work struct {
	ID          int64     `json:"command_id"`
	State       state     `json:"state"`
	Instruction string    `json:"instruction"`
	Summary     string    `json:"completion_summary"`
	Command     string    `json:"full_command"`
	Output      string    `json:"full_output"`
	Started     time.Time `json:"started_at"`
}

func (c *agentCall) output() error {
	s, a := c.now, c.agent
	limit, err := c.numberOf("limit", 5, 50)
	if err != nil {
		return err
	}
	h, err := load(c.r.Context(), c.desk(), a.ID, s.end(), int(limit)*20, c.say)
	if err != nil {
		return err
	}
	list := []Work{}
	var last *work
	for _, t := range slices.Backward(h.turns) {
		if t.work == nil || t.work == last {
			continue
		}
		last = t.work
		list = append(list, Work{last.id, last.state, last.instruction(), last.summary(), last.command, last.output, last.started})
		if len(list) == int(limit) {
			break
		}
	}
	at, err := s.stateOf(a)
	if err != nil {
		return err
	}
	return c.answerWith(http.StatusOK, c.outcome(c.name, a, at, list), c.naming(a, map[string]any{"commands": list}))
}

// outcome says what came of the newest command: its end when it has one.
func (s speaker) outcome(name string, a *nod.Agent, at state, list []Work) Voice {
	v := Voice{Status: s.doing(name, a, at)}
	if at == awaitingInput {
		v.Next = s.say.Say(words.VoiceAnswerIt, name)
	}
	if len(list) == 0 {
		v.Status = s.say.Say(words.VoiceNothingYet, name)
		return v
	}
	w := list[0]
	if w.State == complete && at == idle {
		v.Status = s.say.Say(words.VoiceDone, name)
	}
	most := []int{concise: 250, normal: 500, detailed: 1500}[s.much]
	if s.much >= normal && w.Instruction != "" {
		v.Results = append(v.Results, s.say.Say(words.VoiceTask, s.brief(w.Instruction, 160)))
	}
	if text := s.brief(w.Output, most); text != "" {
		v.Results = append(v.Results, text)
	} else if s.much == concise && w.Instruction != "" {
		v.Results = append(v.Results, s.say.Say(words.VoiceTask, s.brief(w.Instruction, 160)))
	}
	return v
}

// Question is what an agent asks.
type Question struct {
	Project string        `json:"project"`
	Agent   int           `json:"agent_id"`
	NodID   nod.AgentID   `json:"nod_id"`
	Text    string        `json:"question_text"`
	Options any           `json:"question_options"`
	Source  string        `json:"question_source_type"`
	Turn    int64         `json:"turn_id"`
	Request nod.RequestID `json:"request_id,omitempty"`
	Input   *toolInput    `json:"tool_input,omitempty"`
	Others  int           `json:"others_waiting"` // more questions behind this one
}

func (c *agentCall) question() error {
	s, a := c.now, c.agent
	open := s.open(a.ID)
	if len(open) == 0 {
		return c.freeQuestion()
	}
	r := open[0]
	t := questionTurn(r, c.say)
	v := c.asked(r, c.name)
	c.heard.note(c.listener(), a.ID, r.ID)
	if err := c.desk().Shown(c.r.Context(), r.ID); err != nil && nod.CodeOf(err) != nod.NotFound {
		return err
	}
	q := Question{a.Name, c.number(a.ID), a.ID, t.Text, t.Options, t.Source, t.ID, r.ID, t.Input, len(open) - 1}
	return c.answerWith(http.StatusOK, v, map[string]any{"question": q})
}

// freeQuestion: the agent's last words were a question, or its terminal shows a
// dialog that only the terminal can answer.
func (c *agentCall) freeQuestion() error {
	s, a, name := c.now, c.agent, c.name
	talk, err := s.talk(a.ID)
	if err != nil {
		return err
	}
	v := Voice{Status: c.say.Say(words.VoiceQuestion, name), Next: c.say.Say(words.VoiceSayAnswer)}
	q := Question{Project: a.Name, Agent: c.number(a.ID), NodID: a.ID, Options: []choice{}, Source: "free_text", Turn: talk.asked}
	switch {
	case !a.Alive():
		return c.notWaiting()
	case a.NeedsYou != "":
		q.Text, v.Next = a.NeedsYou, c.say.Say(words.VoiceItsOwn)
	case stateOf(a, talk.at, s.underway(a.ID)) == awaitingInput && talk.work != nil:
		q.Text = talk.work.output
	default:
		return c.notWaiting()
	}
	v.Results = []string{c.brief(q.Text, 600)}
	return c.answerWith(http.StatusOK, v, map[string]any{"question": q})
}

// Line is a turn in a transcript, with the command it belongs to.
type Line struct {
	Turn
	Command     int64  `json:"command_id,omitempty"`
	Instruction string `json:"command_instruction,omitempty"`
	State       state  `json:"command_state,omitempty"`
	Summary     string `json:"summary"`
}

func lineOfTurn(t Turn) Line {
	l := Line{Turn: t, Summary: nod.Fold(nod.OneLine(firstLine(t.Text)), 160)}
	if t.work != nil {
		l.Command, l.Instruction, l.State = t.work.id, t.work.instruction(), t.work.state
	}
	return l
}

// overlap is how far a page of a transcript looks beyond its end: what an agent
// tells of a message may stand right behind it.
const overlap = 8

func (c *agentCall) transcript() error {
	s, a := c.now, c.agent
	limit, err := c.numberOf("limit", 50, 200)
	if err != nil {
		return err
	}
	before, err := c.numberOf("before", 0, 1<<60)
	if err != nil {
		return err
	}
	end := s.end()
	if before != 0 {
		end = min(end, placeOf(before)+overlap)
	}
	h, err := load(c.r.Context(), c.desk(), a.ID, end, int(limit)+1+overlap, c.say)
	if err != nil {
		return err
	}
	h.turns = slices.DeleteFunc(h.turns, func(t Turn) bool { return before != 0 && t.ID >= before })
	page, more := h.last(int(limit))
	lines := make([]Line, 0, len(page))
	for _, t := range page {
		lines = append(lines, lineOfTurn(t))
	}
	at, err := s.stateOf(a)
	if err != nil {
		return err
	}
	hero, trail := heroes(a.ID)
	v := Voice{Status: c.say.Count(words.VoiceTurns, len(lines))}
	most := []int{concise: 1, normal: 3, detailed: 8}[c.much]
	for _, t := range page[max(0, len(page)-most):] {
		v.Results = append(v.Results, c.utterance(c.name, t))
	}
	body := map[string]any{
		"turns": lines, "has_more": more, "agent_state": at, "agent_ended": !a.Alive(), "project": a.Name,
		"agent_name": a.Name, "hero_chars": hero, "hero_trail": trail, "pending": pendingTo(s, a, before),
	}
	return c.answerWith(http.StatusOK, v, c.naming(a, body))
}

func (s speaker) utterance(name string, t Turn) string {
	text := s.brief(t.Text, 300)
	if t.Tool != "" && t.Intent == progress {
		text = ear.Ended(s.command(nod.Fold(t.Tool+" "+t.Text, 300)))
	}
	if t.Actor == user {
		return s.say.Say(words.VoiceYouSaid, text)
	}
	return s.say.Say(words.VoiceItSaid, name, text)
}

// Pending is a message on its way. It becomes a turn when the agent has it, so
// it is never in both lists.
type Pending struct {
	ID     nod.MessageID     `json:"message_id"`
	Text   string            `json:"text"`
	Status nod.MessageStatus `json:"message_status"`
	By     string            `json:"by"`
	At     time.Time         `json:"timestamp"`
}

func pendingTo(s *scene, a *nod.Agent, before int64) []Pending {
	list := []Pending{}
	if before != 0 {
		return list
	}
	for _, m := range s.Messages {
		if m.Agent == a.ID && !strings.EqualFold(strings.TrimSpace(m.Text), "") {
			list = append(list, Pending{m.ID, m.Text, m.Status, m.By, m.At})
		}
	}
	return list
}
