package attend

import (
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/risk"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// queue picks the next request to show. The puck's lock guards it.
type queue struct {
	hub    *hub.Hub
	agents func(*nod.Agent) bool // whose requests are shown; nil: all
	allow  []string              // commands that may be allowed here although they are destructive
	say    words.Printer
	passed map[nod.RequestID]bool // not answered at this puck, or not answerable there
	shown  nod.Request            // the last request that was shown
	tasks  *Tasks
}

// next is the oldest pending request, in the table's form.
func (q *queue) next() (in puck.Input, found bool) {
	var first *nod.Request
	together := 0
	q.hub.Look(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			a := s.Agents[r.Agent.ID]
			if q.passed[r.ID] || q.agents != nil && (a == nil || !q.agents(a)) {
				continue
			}
			if first == nil {
				first = r
			}
			if r.Agent.ID == first.Agent.ID && r.Kind == nod.KindApproval {
				together++
			}
		}
		if first != nil && first.Kind == nod.KindApproval {
			in.Index, in.Total, in.Ongoing = q.tasks.Count(s, first.Agent.ID, together)
		}
	})
	if first == nil {
		return in, false
	}
	q.forgetPassed()
	q.shown = *first
	return q.input(first, in), true
}

// pending reports whether a request still waits for an answer.
func (q *queue) pending(id nod.RequestID) (pending bool) {
	q.hub.Look(func(s *nod.State) {
		r := s.Requests[id]
		pending = r != nil && !r.Settled()
	})
	return pending
}

// forgetPassed: settled requests are not shown anyway.
func (q *queue) forgetPassed() {
	q.hub.Look(func(s *nod.State) {
		for id := range q.passed {
			if r := s.Requests[id]; r == nil || r.Settled() {
				delete(q.passed, id)
			}
		}
	})
}

// input is a request in the table's form, in words for the ear; its place in its task is in already.
func (q *queue) input(r *nod.Request, in puck.Input) puck.Input {
	speaker := ear.In(q.say)
	if asked, ok := choice(r); ok {
		in = puck.Input{Event: puck.Choice, Request: string(r.ID), Question: speaker.Text(asked.Text)}
		for _, c := range asked.Choices {
			in.Options = append(in.Options, strings.TrimRight(speaker.Line(c.Label), ".。 "))
		}
		return in
	}
	in.Event, in.Request = puck.Approval, string(r.ID)
	in.OnScreen = talk.OnScreenUnless(r, nod.Answer{Verdict: nod.VerdictAllow}, q.allow) || r.Kind != nod.KindApproval || q.hub.NeedsProof(r)
	in.Twice = !in.OnScreen && risk.OnNamed(risk.Voice, r, q.allow) == risk.Twice
	command, isCommand := commandOf(r)
	text, long := talk.Description(q.say, r)
	switch {
	case long && r.Kind == nod.KindApproval:
		in.Text = q.say.Say(words.BrainTooLong)
	case isCommand:
		in.Command = speaker.Command(command)
	default:
		in.Text = text
	}
	return in
}

// commandOf is the command line of a request that has one.
func commandOf(r *nod.Request) (string, bool) {
	var input struct {
		Command *string `json:"command"`
	}
	if r.Kind != nod.KindApproval || strings.HasPrefix(r.Tool, "mcp__") || json.Unmarshal(r.Input, &input) != nil || input.Command == nil {
		return "", false
	}
	return *input.Command, true
}

// choice is the one question of a request that a ring can show.
func choice(r *nod.Request) (nod.Question, bool) {
	if r.Kind != nod.KindQuestion || len(r.Questions) != 1 {
		return nod.Question{}, false
	}
	q := r.Questions[0]
	return q, !q.Multi && len(q.Choices) > 0 && len(q.Choices) <= puck.MostOptions
}
