package talk

import (
	"nod"
	"nod/internal/hub"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// Yeses remembers which requests were allowed by one spoken yes and take a second:
// words are misheard, so what nod cannot judge is read back first.
type Yeses struct{ first ReadOut }

// Enough reports whether an answer counts now. The first yes to a request that takes
// two does not; the caller then reads the request back with AloudAgain.
func (y *Yeses) Enough(r *nod.Request, a nod.Answer, h *hub.Hub) bool {
	if a.Verdict != nod.VerdictAllow || h.NeedsProof(r) || risk.On(risk.Voice, r) != risk.Twice || y.first.Drop(r.ID) {
		return true
	}
	y.first.Add(r.ID, h)
	return false
}

// AloudAgain reads a request back and asks for a second yes.
func AloudAgain(say words.Printer, r *nod.Request) string {
	text, _ := Description(say, r)
	return say.Say(words.BrainTwice, text)
}
