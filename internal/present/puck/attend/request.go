package attend

import (
	"context"
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// series is several pending approvals of one agent.
type series struct {
	agent nod.AgentID
	total int
	left  int // after the one that is shown
}

// count is the position of a request among the n pending ones of its agent.
func (s *series) count(agent nod.AgentID, n int) (index, total int) {
	if s.agent == agent && s.left > 0 {
		s.total += max(0, n-s.left)
	} else {
		s.agent, s.total = agent, n
	}
	s.left = n - 1
	return s.total - n + 1, s.total
}

// consider checks the pending requests: whether the displayed one still is, and whether there is one to show.
func (p *Puck) consider() []task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asking().Kind == AskNothing {
		return p.next()
	}
	if id := p.m.Request; !p.waits(nod.RequestID(id)) {
		return p.step(puck.Input{Event: puck.Withdrawn, Request: id}) // and then the next
	}
	return nil
}

func (p *Puck) waits(id nod.RequestID) (waits bool) {
	p.Hub.Look(func(s *nod.State) {
		r := s.Requests[id]
		waits = r != nil && !r.Settled()
	})
	return waits
}

// next shows the oldest pending request when there is room. The light of the previous one is seen first.
func (p *Puck) next() []task {
	at := p.m.At()
	if p.over || p.clocks[puck.FlashTimer] != nil || at != puck.Idle && at != puck.Thinking && at != puck.Executing {
		return nil
	}
	var first *nod.Request
	together := 0
	p.Hub.Look(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			a := s.Agents[r.Agent.ID]
			if p.passed[r.ID] || p.Agents != nil && (a == nil || !p.Agents(a)) {
				continue
			}
			if first == nil {
				first = r
			}
			if r.Agent.ID == first.Agent.ID && r.Kind == nod.KindApproval {
				together++
			}
		}
	})
	if first == nil {
		return nil
	}
	p.forgetPassed()
	p.shown = *first
	return p.step(p.ask(first, together))
}

// forgetPassed: settled requests are not shown anyway.
func (p *Puck) forgetPassed() {
	p.Hub.Look(func(s *nod.State) {
		for id := range p.passed {
			if r := s.Requests[id]; r == nil || r.Settled() {
				delete(p.passed, id)
			}
		}
	})
}

// ask is a request in the table's form, in words for the ear.
func (p *Puck) ask(r *nod.Request, together int) puck.Input {
	speaker := ear.In(p.say)
	if q, ok := choice(r); ok {
		in := puck.Input{Event: puck.Choice, Request: string(r.ID), Question: speaker.Text(q.Text)}
		for _, c := range q.Choices {
			in.Options = append(in.Options, strings.TrimRight(speaker.Line(c.Label), ".。 "))
		}
		return in
	}
	in := puck.Input{Event: puck.Approval, Request: string(r.ID), OnScreen: talk.OnScreen(r, nod.Answer{Verdict: nod.VerdictAllow}) || r.Kind != nod.KindApproval}
	if p.Hub.NeedsProof(r) {
		in.OnScreen = true
	}
	if r.Kind == nod.KindApproval {
		in.Index, in.Total = p.series.count(r.Agent.ID, together)
	}
	command, isCommand := commandOf(r)
	text, long := talk.Description(p.say, r)
	switch {
	case long && r.Kind == nod.KindApproval:
		in.Text = p.say.Say(words.BrainTooLong)
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

// answer passes an answer to the hub, which checks rights and lets the first one win.
func (p *Puck) answer(a puck.Answer) task {
	r := p.shown
	if string(r.ID) != a.Request {
		return func(context.Context) error { return nil } // impossible: only the displayed request is asked
	}
	if a.Reason == puck.ForTimeout && !p.Denies {
		p.passed[r.ID] = true
		p.Log.Info("nobody answered at this puck; the request waits for another door", "puck", p.Name, "request", r.ID)
		return func(context.Context) error { return nil }
	}
	p.passed[r.ID] = true // until the hub reports it settled
	said := nod.Answer{Verdict: nod.VerdictDeny}
	switch a.Type {
	case puck.Approved:
		said.Verdict = nod.VerdictAllow
	case puck.Chosen:
		q, _ := choice(&r)
		said = nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{q.Choices[a.Option-1].Label}}}}
	}
	return func(ctx context.Context) error {
		_, err := p.desk.Decide(ctx, r.ID, said)
		if err != nil {
			p.refused(r.ID, err)
		}
		return err
	}
}

// refused says why an answer did not count.
func (p *Puck) refused(id nod.RequestID, err error) {
	text, event := words.PuckTrouble, puck.Failure
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		text, event = words.PuckElsewhere, puck.Response
	case nod.ProofNeeded:
		text = words.BrainProof
	case nod.Forbidden:
		text = words.PuckRefused
	}
	p.Log.Warn("an answer at a voice puck did not count", "puck", p.Name, "request", id, "err", err)
	p.feed(puck.Input{Event: event, Text: p.say.Say(text), Detail: p.say.Say(text)})
}
