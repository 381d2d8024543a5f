package keyboard

import (
	"strconv"

	"nod"
	"nod/internal/present/advise"
)

// mostSuggested bounds how many keys there are to page through.
const mostSuggested = 64

// suggested are the keys that an agent set for itself, while nothing waits for an
// answer, and then what the rules or a model suggest.
func (s *Surface) suggested(a *nod.Agent, pending []*nod.Request, last *nod.Turn) []Key {
	var keys []Key
	if len(pending) == 0 && s.AgentKeys != nil {
		keys = ownKeys(s.AgentKeys(a.ID))
	}
	list := s.Advise(advise.Situation{Agent: a, Pending: pending, Last: last, Proof: s.Hub.ProofLevels(), Say: s.Say})
	for _, one := range list[:min(len(list), mostSuggested-len(keys))] {
		keys = append(keys, suggestedKey(one))
	}
	return keys
}

// ownKeys are those that an agent set for itself. A press says exactly what the key
// shows: a person must be able to read what is said in their name.
func ownKeys(set []Key) (keys []Key) {
	for i, k := range set {
		if k.Label != "" {
			keys = append(keys, Key{ID: "wish-" + strconv.Itoa(i+1), Label: k.Label, Emoji: k.Emoji, Do: Act{Say: k.Label}})
		}
	}
	return keys
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
