package keyboard

import (
	"nod"
	"nod/internal/present/words"
)

// Plain is what keys offer without any advice: the options of what waits, and
// the way to stop what runs.
func Plain(p words.Printer) Suggest {
	return func(agent *nod.Agent, pending []*nod.Request, _ *nod.Turn, most int) []Key {
		var keys []Key
		switch {
		case len(pending) > 0:
			keys = answers(p, pending[0])
		case agent.State == nod.AgentWorking:
			if agent.Able(nod.CanInterrupt) {
				keys = append(keys, word(p, "STOP", "🛑", "#FF4040", words.KeyboardStop, Act{Stop: true}))
			}
			if agent.Able(nod.CanBackground) {
				keys = append(keys, word(p, "BACKGROUND", "⏬", "", words.KeyboardBack, Act{Background: true}))
			}
		case agent.Able(nod.CanSay):
			keys = append(keys, word(p, "continue", "▶️", "", words.KeyboardContinue, Act{Say: p.Say(words.KeyboardSayContinue)}))
		}
		return keys[:min(len(keys), most)]
	}
}

// answers are what one press can answer; everything else takes more than a key.
func answers(p words.Printer, r *nod.Request) []Key {
	no := word(p, "no", "❌", "#FF4040", words.KeyboardNo, Act{Decide: r.ID, Answer: nod.Answer{Verdict: nod.VerdictDeny}})
	switch {
	case r.Kind == nod.KindApproval && r.OneTap:
		keys := []Key{word(p, "yes", "✅", "#00FF00", words.KeyboardYes, Act{Decide: r.ID, Answer: nod.Answer{Verdict: nod.VerdictAllow}})}
		if o, ok := r.Option(nod.OptionAlways, string(nod.RememberFirst)); ok {
			keys = append(keys, word(p, "always", "♾️", "", words.KeyboardAlways, Act{Decide: r.ID, Answer: nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)}}))
		}
		return append(keys, no)
	case r.Kind == nod.KindQuestion && r.OneTap && len(r.Questions) == 1 && !r.Questions[0].Multi:
		q := r.Questions[0]
		var keys []Key
		for _, c := range q.Choices {
			keys = append(keys, Key{ID: "pick " + clip(c.Label, 30), Label: clip(c.Label, longestLabel), Do: Act{
				Decide: r.ID, Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{c.Label}}}},
			}})
		}
		return append(keys, no)
	}
	return []Key{word(p, "open", "📱", "", words.KeyboardOpen, Act{}), no}
}
