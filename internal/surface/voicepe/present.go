package voicepe

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
	"nod/internal/talk"
)

// present publishes what is pending and what is settled, in order.
func (s *Surface) present(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pending.ready:
		}
		s.refresh()
		over, show := s.pending.turn()
		if over != nil {
			s.withdraw(ctx, over)
		}
		if show == nil {
			continue
		}
		// It may be answered as soon as it is published, before the broker confirms.
		s.pending.markSent(show)
		if err := s.say(ctx, s.describe(show)); err != nil {
			s.pending.unsent(show)
			s.spawn(func() { pause.For(ctx, retryTime); s.pending.wake() })
			continue
		}
		s.spawn(func() {
			if err := s.watcher().Shown(ctx, show.request.ID); err != nil && ctx.Err() == nil {
				s.Log.Debug("that a request was shown was not noted", "request", show.request.ID, "err", err)
			}
		})
	}
}

// withdraw says that something needs no answer any more.
func (s *Surface) withdraw(ctx context.Context, w *showing) {
	_ = s.say(ctx, response{Type: typeWithdrawn, RequestID: w.key(), Conversation: conversation(w.request), Agent: w.request.Agent.Name})
}

func (b *pendingList) unsent(w *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.sent = false
}

// fits reports whether a puck can ask a request at all. It cannot ask forms and
// questions without choices; they wait on a screen.
func fits(r *nod.Request) bool {
	switch r.Kind {
	case nod.KindApproval, nod.KindPlan:
		return true
	case nod.KindQuestion:
		return len(r.Questions) > 0 && !slices.ContainsFunc(r.Questions, func(q nod.Question) bool { return len(q.Choices) == 0 })
	}
	return false
}

// onScreen reports whether a person must see what they allow.
func (s *Surface) onScreen(r *nod.Request) bool {
	return r.Kind != nod.KindQuestion && talk.OnScreen(r, nod.Answer{Verdict: nod.VerdictAllow}) || s.Hub.NeedsProof(r)
}

// conversation is its id on the wire; agents in a terminal have none.
func conversation(r *nod.Request) string { return string(r.Agent.ID) }

// describe is a request on the wire.
func (s *Surface) describe(w *showing) response {
	r := w.request
	say, language := s.printer(s.languageOf(r), "")
	m := response{RequestID: w.key(), Conversation: conversation(r), Turn: s.turns(r.Agent.ID), Agent: r.Agent.Name, Language: language}
	m.Display = nod.Fold(nod.OneLine(cmp.Or(command(r), r.Title)), 1000)
	if r.Kind == nod.KindQuestion {
		q := r.Questions[w.question]
		speaker := ear.In(say)
		m.Type, m.Question, m.Display = typeChoice, speaker.Text(q.Text), nod.Fold(nod.OneLine(q.Text), 1000)
		for _, c := range q.Choices[:min(len(q.Choices), puck.MostOptions)] {
			m.Options = append(m.Options, strings.TrimRight(speaker.Line(c.Label), ".。 "))
		}
		m.Speech = puck.Speech{Key: puck.SayChoices, Question: m.Question, Options: m.Options}.In(say)
		return m
	}
	m.Type, m.Index, m.Total, m.OnScreen = typeApproval, w.index, w.total, s.onScreen(r)
	speech := puck.Speech{Key: puck.SayPrompt, Index: w.index, Total: w.total}
	if m.Total > 1 {
		m.Type, speech.Key = typeMulti, puck.SayPromptOf
	}
	if m.OnScreen {
		speech.Key = puck.SayScreenOnly
	}
	if line := command(r); line != "" {
		m.Command = ear.In(say).Command(line)
		speech.Command = m.Command
	} else {
		m.Command, _ = talk.Description(say, r)
		speech.Text = m.Command
	}
	m.Speech = speech.In(say)
	return m
}

// command is the command line that an approval is about, if it is about one.
func command(r *nod.Request) string {
	var input struct {
		Command string `json:"command"`
	}
	if strings.HasPrefix(r.Tool, "mcp__") || json.Unmarshal(r.Input, &input) != nil {
		return ""
	}
	return input.Command
}

// languageOf is what a conversation is held in.
func (s *Surface) languageOf(r *nod.Request) (language string) {
	s.Hub.Look(func(state *nod.State) {
		if a := state.Agents[r.Agent.ID]; a != nil && a.Talk != nil {
			language = a.Talk.Language
		}
	})
	return language
}

func (s *Surface) turns(id nod.AgentID) (n int) {
	s.Hub.Look(func(state *nod.State) {
		if a := state.Agents[id]; a != nil && a.Talk != nil {
			n = a.Talk.Turns
		}
	})
	return n
}

// fail publishes an error: code and detail for a log, and a sentence to say.
func (s *Surface) fail(ctx context.Context, say words.Printer, about response, code, detail string) {
	if !s.errors.allow(s.Now()) {
		return
	}
	about.Type, about.Code, about.Message = typeError, code, detail
	if about.Text == "" {
		about.Text = puck.Speech{Key: puck.SayError, Code: code, Detail: detail}.In(say)
	}
	_ = s.say(ctx, about)
}
