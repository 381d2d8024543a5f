package voicepe

import (
	"cmp"
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// describer puts requests into the words of this wire. It only reads.
type describer struct {
	hub      *hub.Hub
	language string   // empty: the language that is spoken
	allow    []string // commands that may be allowed here although they are destructive
}

// printer speaks the language that is asked for, or that of a text.
func (d describer) printer(language, text string) (words.Printer, string) {
	language = cmp.Or(language, d.language, guess(text))
	say, _ := words.Speaks(language)
	return say, language
}

func guess(text string) string {
	if text == "" {
		return ""
	}
	return ear.Language(text)
}

// describe is what is shown, as a response on the wire.
func (d describer) describe(w *showing) response {
	r := w.request
	say, language := d.printer(d.languageOf(r), "")
	m := response{RequestID: w.key(), Conversation: string(r.Agent.ID), Turn: d.turns(r.Agent.ID), Agent: r.Agent.Name, Language: language}
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
	m.Type, m.Index, m.Total, m.OnScreen = typeApproval, w.index, w.total, d.onScreen(r)
	speech := puck.Speech{Key: puck.SayPrompt, Index: w.index, Total: w.total, Ongoing: w.ongoing}
	if m.Total > 1 {
		m.Type, speech.Key = typeMulti, puck.SayPromptOf
	}
	switch {
	case m.OnScreen:
		speech.Key = puck.SayScreenOnly
	case w.sure:
		speech.Key = puck.SayTwice
	}
	if line := command(r); line != "" {
		m.Command = nod.Fold(nod.Visible(line), mostCommand)
		speech.Command = ear.In(say).Command(line)
	} else {
		m.Command = m.Display
		speech.Text, _ = talk.Description(say, r)
	}
	m.Speech = speech.In(say)
	return m
}

// mostCommand is how much of a command is sent; a longer one says how much is left out.
const mostCommand = 16000

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

// onScreen reports whether a person must see what they allow.
func (d describer) onScreen(r *nod.Request) bool {
	return r.Kind != nod.KindQuestion && talk.OnScreenUnless(r, nod.Answer{Verdict: nod.VerdictAllow}, d.allow) || d.hub.NeedsProof(r)
}

// languageOf is what a conversation is held in.
func (d describer) languageOf(r *nod.Request) (language string) {
	d.hub.Look(func(state *nod.State) {
		if a := state.Agents[r.Agent.ID]; a != nil && a.Talk != nil {
			language = a.Talk.Language
		}
	})
	return language
}

func (d describer) turns(id nod.AgentID) (n int) {
	d.hub.Look(func(state *nod.State) {
		if a := state.Agents[id]; a != nil && a.Talk != nil {
			n = a.Talk.Turns
		}
	})
	return n
}
