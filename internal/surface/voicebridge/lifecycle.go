package voicebridge

import (
	"crypto/rand"
	"net/http"
	"strings"

	"nod"
	"nod/internal/words"
)

// create: nod has no way yet to begin a conversation by itself.
func (c *call) create() error {
	err := nod.Errorf(nod.Unavailable, "nod cannot start agents yet: start one in a terminal, and it appears here by itself")
	return &problem{error: err, status: http.StatusNotImplemented, word: "not_implemented", voice: Voice{Status: c.say.Say(words.VoiceNoCreate), Next: c.say.Say(words.VoiceStartIt)}}
}

// exit is how Claude Code is asked to end.
const exit = "/exit"

// shutdown stops an agent where it is, and ends it where words reach it.
func (c *call) shutdown() error {
	s, a, err := c.one()
	if err != nil {
		return err
	}
	name := c.name(s, a)
	atWork := a.State == nod.Working || a.State == nod.Waiting
	ends := a.Alive() && a.Able(nod.CanSay) && a.Kind == "claude"
	if !a.Alive() || !ends && !(atWork && a.Able(nod.CanInterrupt)) {
		err := nod.Errorf(nod.Unreachable, "%s cannot be stopped from here: it has ended, or only its own terminal can end it", a.Name)
		return &problem{error: err, status: http.StatusUnprocessableEntity, word: "cannot_stop", voice: Voice{Status: c.say.Say(words.VoiceCannotStop, name), Next: c.say.Say(words.VoiceItsOwn)}}
	}
	if atWork {
		if _, err := c.desk().Interrupt(c.r.Context(), a.ID); err != nil {
			return err
		}
	}
	v := Voice{Status: c.say.Say(words.VoiceTold, name)}
	if ends {
		m := nod.Message{ID: nod.MessageID("voice-" + strings.ToLower(rand.Text())), Agent: a.ID, Text: exit, WhenBusy: nod.Interrupt}
		if _, err := c.desk().Say(c.r.Context(), m); err != nil {
			return err
		}
		v.Status = c.say.Say(words.VoiceToldEnd, name)
	}
	return c.answerWith(http.StatusOK, v, map[string]any{"agent_id": a.ID, "message": v.Status, "ending": ends})
}

func (c *call) markRead() error {
	s, a, err := c.one()
	if err != nil {
		return err
	}
	c.read.mark(a.ID, s.Seq)
	return c.answerWith(http.StatusOK, Voice{Status: c.say.Say(words.VoiceMarkedRead)}, map[string]any{"ok": true, "agent_id": a.ID})
}
