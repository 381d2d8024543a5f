package talk

import (
	"nod"
	"nod/internal/present/risk"
)

// OnScreenUnless is OnScreen for a person who named commands that may be allowed by
// voice although they are destructive, such as "kubectl apply". All else that needs a
// screen still does: what is too long, or cannot be heard.
func OnScreenUnless(r *nod.Request, a nod.Answer, commands []string) bool {
	if risk.On(risk.Voice, r) == risk.Never && risk.OnNamed(risk.Voice, r, commands) != risk.Never {
		other := *r
		other.Risk = &nod.Risk{Level: "unknown"}
		r = &other
	}
	return OnScreen(r, a)
}
