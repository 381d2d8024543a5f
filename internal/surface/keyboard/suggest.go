package keyboard

import (
	"nod"
	"nod/internal/present/advise"
)

// mostSuggested bounds how many keys there are to page through.
const mostSuggested = 64

// suggested is what the rules or a model suggest.
func (s *Surface) suggested(a *nod.Agent, pending []*nod.Request, last *nod.Turn) []Key {
	var keys []Key
	list := s.Advise(advise.Situation{Agent: a, Pending: pending, Last: last, Proof: s.Hub.ProofLevels(), Say: s.Say})
	for _, one := range list[:min(len(list), mostSuggested)] {
		keys = append(keys, suggestedKey(one))
	}
	return keys
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
			keys = append(keys, wished(k, a, false, s.Say))
		}
	}
	return keys[:min(len(keys), count)]
}

func suggestedKey(s advise.Suggestion) Key {
	k := Key{ID: s.ID, Label: s.Label, Emoji: s.Emoji}
	switch s.Do.Kind {
	case advise.Decide:
		if s.Do.Answer != nil && !s.Hold {
			k.Do = Act{Decide: s.Do.Request, Answer: *s.Do.Answer}
		}
	case advise.Say:
		k.Do = Act{Say: s.Do.Text}
	case advise.Stop:
		k.Do = Act{Stop: true}
	case advise.Background:
		k.Do = Act{Background: true}
	}
	return k
}
