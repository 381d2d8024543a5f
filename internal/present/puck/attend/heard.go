package attend

import (
	"context"
	"slices"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// Heard interprets what a person said, whatever it means now: yes, no, an option, stop, cancel, resume, or a new
// request. Words that do not answer an open question cause a beep: they are never taken for consent.
func (p *Puck) Heard(ctx context.Context, text string) error { return p.heard(ctx, p.Memory(), text) }

// HeardAbout is Heard for callers that know what was shown when the person spoke: words about another request cause a
// beep, even if that one is gone or this one has just come.
func (p *Puck) HeardAbout(ctx context.Context, shown, text string) error {
	m := p.Memory()
	if m.Request != shown {
		return p.Input(ctx, puck.Input{Event: puck.VoiceOption, Request: shown})
	}
	return p.heard(ctx, m, text)
}

func (p *Puck) heard(ctx context.Context, m puck.Memory, text string) error {
	bare := ear.Bare(text)
	yes, no := ear.Assent(p.say.Lang(), text)
	stops := slices.Contains(stopWords(), bare)
	at := m.At()
	busy := at == puck.Thinking || at == puck.Executing || at == puck.Error
	switch {
	case bare == "":
		return nil
	case at != puck.Idle && !busy:
		return p.Input(ctx, reply(m, p.say.Lang(), text))
	case busy && stops:
		return p.Input(ctx, puck.Input{Event: puck.VoiceStop, Request: m.Request})
	case busy && no:
		return p.Input(ctx, puck.Input{Event: puck.VoiceCancel, Request: m.Request})
	case busy && yes:
		return p.Input(ctx, puck.Input{Event: puck.VoiceYes, Request: m.Request}) // a beep
	case at == puck.Idle && Resumes(text):
		return p.Resume(ctx)
	case at == puck.Idle && (stops || no && !m.Context):
		return p.halted(ctx)
	case at == puck.Idle && yes && !m.Context:
		return nil // nothing that it could refer to
	}
	return p.Ask(ctx, text)
}

// reply is what words mean as an answer to what is shown.
func reply(m puck.Memory, lang words.Lang, text string) puck.Input {
	in := puck.Input{Event: puck.VoiceOption, Request: m.Request} // without a number: a beep
	yes, no := ear.Assent(lang, text)
	choosing := m.At() == puck.MultipleChoice
	if choosing {
		in.Option = chosen(m, text)
	}
	switch {
	case in.Option > 0:
	case slices.Contains(stopWords(), ear.Bare(text)):
		in.Event = puck.VoiceStop
	case no:
		in.Event = puck.VoiceNo
	case yes && !choosing:
		in.Event = puck.VoiceYes
	}
	return in
}

// halted: "stop" while the puck shows nothing stops a conversation that is still working.
func (p *Puck) halted(ctx context.Context) error {
	p.mu.Lock()
	a := p.dialogue.find()
	if a == nil || a.State != nod.AgentWorking && a.State != nod.AgentWaiting {
		p.mu.Unlock()
		return nil
	}
	tasks := append([]task{p.interrupt(puck.Memory{})}, p.step(puck.Input{Event: puck.Response, Text: p.say.Say(words.PuckStopping)})...)
	p.mu.Unlock()
	return p.act(ctx, tasks)
}

// chosen is the number of the option that the person named.
func chosen(m puck.Memory, text string) int {
	for i := range m.Count {
		if n, ok := ear.Number(text); ok && n == i+1 || ear.Bare(m.Options[i]) == ear.Bare(text) {
			return i + 1
		}
	}
	return 0
}

// asks reports whether a text ends in a question.
func asks(text string) bool {
	return strings.HasSuffix(strings.TrimSpace(text), "?") || strings.HasSuffix(strings.TrimSpace(text), "\uff1f")
}

func stopWords() []string {
	return []string{"stop", "stop it", "stop claude", "zatrzymaj", "zatrzymaj to", "przerwij", "stój", "ストップ", "止めて", "止めてください", "中止", "中止して"}
}

// Resumes reports whether words ask to go back to the last conversation.
func Resumes(text string) bool {
	return slices.Contains(resumeWords(), strings.TrimPrefix(ear.Bare(text), "to ")) // "ask Claude", then "to resume"
}

func resumeWords() []string {
	return []string{
		"resume", "resume the conversation", "ask claude to resume", "go back to claude", "wznów", "wznów rozmowę", "wróć do rozmowy", "niech claude wznowi",
		"再開", "再開して", "会話を再開", "会話を再開して", "続きを話して",
	}
}
