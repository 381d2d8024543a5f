package voicebridge

import (
	"net/http"

	"nod"
	"nod/internal/present/words"
)

// sayable asks the phrase rules before a text is sent. What they forbid is not sent,
// and what they are unsure of only once it was said twice. An agent without a terminal
// (or one that is yet to be opened: nil) has a driver that asks in its name, so that
// any device can answer: asking here too would be asking twice.
func (c *call) sayable(to *nod.Agent, text string, confirmed bool) error {
	if c.Phrases == nil || text == "" {
		return nil
	}
	verdict, reason := c.Phrases(text)
	why := []string{c.brief(reason, 120)}
	switch {
	case verdict == "deny":
		err := nod.Errorf(nod.Forbidden, "a rule forbids to say this: %s", reason)
		return &problem{error: err, status: http.StatusForbidden, word: "refused_by_rule", voice: Voice{Status: c.say.Say(words.VoiceForbidden), Results: why}}
	case verdict == "ask" && !confirmed && to != nil && to.Talk == nil:
		err := nod.Errorf(nod.Conflict, "nothing was sent, because a rule asks first: %s. Send it again with \"confirm\": true", reason)
		v := Voice{Status: c.say.Say(words.VoiceSure), Results: append(why, c.say.Say(words.VoiceYouSaid, c.brief(text, 200))), Next: c.say.Say(words.VoiceSayAgain)}
		return &problem{error: err, status: http.StatusConflict, word: "confirmation_needed", voice: v, more: map[string]any{"confirm_needed": true, "reason": reason}}
	}
	return nil
}
