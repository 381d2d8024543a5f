package keyboard

import (
	"encoding/json"
	"slices"
	"strings"

	"nod"
	"nod/internal/present/advise"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// mostSuggested bounds how many keys there are to page through.
const mostSuggested = 64

// suggested is what the rules or a model suggest.
func (s *Surface) suggested(a *nod.Agent, pending []*nod.Request, last *nod.Turn) []Key {
	at := advise.Situation{On: risk.Keys, Holds: true, Agent: a, Pending: pending, Last: last, Proof: s.Hub.ProofLevels(), Say: s.Say}
	list := s.Advise(at)
	var keys []Key
	for _, one := range list[:min(len(list), mostSuggested)] {
		if k, ok := s.suggestedKey(one, pending); ok {
			keys = append(keys, k)
		}
	}
	return alwaysThird(keys)
}

// alwaysThird moves the first key that makes a rule behind Yes and No.
func alwaysThird(keys []Key) []Key {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Do.Answer.Remember != "" })
	if i <= 2 {
		return keys
	}
	k := keys[i]
	return slices.Insert(slices.Delete(keys, i, i+1), 2, k)
}

// wished are the keys that an agent set for itself, until one of its keys is pressed.
func (s *Surface) wished(a *nod.Agent) (keys []Key) {
	if s.AgentKeys == nil {
		return nil
	}
	list, at := s.AgentKeys(a.ID)
	if !s.programs.counts(a.ID, at) {
		return nil
	}
	for _, k := range list {
		if k.Label != "" {
			keys = append(keys, wished(k, a, false, s.Say, s.pictures.readable))
		}
	}
	return keys[:min(len(keys), count)]
}

// suggestedKey makes a key of a suggestion; not ok: it must be read, and does not fit
// on a key's screen.
func (s *Surface) suggestedKey(one advise.Suggestion, pending []*nod.Request) (k Key, ok bool) {
	k = Key{ID: one.ID, Label: one.Label, Emoji: one.Emoji}
	switch one.Do.Kind {
	case advise.Decide:
		if one.Do.Answer == nil {
			return k, true
		}
		k.Do, k.Twice = Act{Decide: one.Do.Request, Answer: *one.Do.Answer}, one.Hold
		if a := one.Do.Answer; a.Remember != "" || a.Lease != nil {
			if len(pending) > 0 && risk.On(risk.Keys, pending[0]) != risk.Once && !s.shownWhole(pending) {
				return k, false // it also allows this one, which the keys do not show
			}
			return s.lasting(k, one.Detail)
		}
		if k.Twice && !s.shownWhole(pending) {
			return word(s.Say, "open", "📱", "", words.KeyboardOpen, Act{}), true
		}
	case advise.Say:
		k.Do = Act{Say: one.Do.Text}
	case advise.Stop:
		return stopKey(&nod.Agent{}, s.Say), true
	case advise.Background:
		k.Do = Act{Background: true}
	}
	return k, true
}

// lasting is a key that allows more than once. What exactly is shown before the second
// press.
func (s *Surface) lasting(k Key, detail string) (Key, bool) {
	k.Twice, k.About = true, detail
	if rule, _, more := strings.Cut(detail, " · "); more && !s.pictures.readable(detail) {
		k.About = rule // where it is kept can be left out
	}
	if k.Do.Answer.Remember != "" {
		k.Label, k.Emoji = s.Say.Say(words.KeyboardAlways), "♾️"
	}
	return k, s.pictures.readable(k.About)
}

// shownWhole reports whether the keys show everything that the first request is about:
// a command, or a sentence.
func (s *Surface) shownWhole(pending []*nod.Request) bool {
	var input struct {
		Command string `json:"command"`
	}
	r := pending[0]
	_ = json.Unmarshal(r.Input, &input) // without a command it is none
	told := r.Tool == "Confirm" || input.Command != "" && strings.HasSuffix(r.Title, nod.OneLine(input.Command))
	return r.Kind == nod.KindApproval && told && s.pictures.readable(wholeOf(r)) && !strings.Contains(r.Title, "⟨… +") // as nod.Fold marks what it left out
}
