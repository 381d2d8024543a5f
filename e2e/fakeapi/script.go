package fakeapi

import "strings"

type script struct {
	prompt     string
	containing bool
	steps      []Step
}

// turnKey names one point of one turn. Failed replies leave no trace in the conversation, so only they must be
// counted here; everything else is read from the request itself, which keeps scripts right across Esc, retries and
// several sessions using the same prompt.
type turnKey struct {
	session, agent string
	prompt         int // index of the message with the prompt
	replies        int // assistant messages since
}

// On scripts the model's replies, step by step, in the turn that starts with exactly this prompt. A subagent's turn
// is scripted the same way, by its prompt. An unscripted prompt, and a turn that outlives its steps, is answered
// "ok". The last registration of a prompt wins.
func (a *API) On(prompt string, steps ...Step) { a.register(prompt, false, steps) }

// OnContaining is On for text that the agent wraps in its own words: notifications, hook feedback. Unlike On it also
// looks at reminders.
func (a *API) OnContaining(part string, steps ...Step) { a.register(part, true, steps) }

func (a *API) register(prompt string, containing bool, steps []Step) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.scripts = append(a.scripts, &script{strings.TrimSpace(prompt), containing, steps})
}

func (s *script) matches(text string, spoken bool) bool {
	if s.containing {
		return strings.Contains(text, s.prompt)
	}
	return spoken && text == s.prompt
}

// nextStep finds the turn that the request continues and the step that is due. Called with mu held.
func (a *API) nextStep(req Request) (prompt string, due Step) {
	var turn *script
	key := turnKey{session: req.Session, agent: req.Agent}
	for i, m := range req.messages {
		if m.Role == "assistant" {
			key.replies++
			continue
		}
		for _, text := range m.texts() {
			if s := a.scriptFor(text, m.spoken(text)); s != nil {
				turn, key.prompt, key.replies = s, i, 0
			} else if interrupted(text) {
				turn = nil // that turn is over, whatever comes next
			}
		}
	}
	// A request without tools is a side task (a title, a summary) that quotes the prompt.
	if turn == nil || !req.hasTools {
		return "", Say("ok")
	}
	replies, failures := key.replies, a.turns[key]
	for _, step := range turn.steps {
		switch {
		case replies > 0 && step.fails():
		case replies > 0:
			replies--
		case failures > 0 && step.fails():
			failures--
		case step.fails():
			a.turns[key]++
			return turn.prompt, step
		default:
			return turn.prompt, step
		}
	}
	return turn.prompt, Say("ok")
}

func (a *API) scriptFor(text string, spoken bool) *script {
	for i := len(a.scripts) - 1; i >= 0; i-- {
		if a.scripts[i].matches(text, spoken) {
			return a.scripts[i]
		}
	}
	return nil
}

func interrupted(text string) bool {
	return strings.HasPrefix(text, "[Request interrupted by user")
}
