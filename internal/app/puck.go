package app

import (
	"time"

	"nod/internal/net/httpd"
	"nod/internal/surface/puck"
	"nod/internal/talk"
)

// pucks are voice pucks on a page, to try everything with a mouse.
func (h *house) pucks() []httpd.Route {
	o := puck.Options{
		Hub: h.hub, Gate: h.gate, Assistant: h.Config.VoicePE.Assistant, Proof: h.Config.Passkey.Required, Now: time.Now, Log: h.Log,
	}
	if !h.Demo { // which has nobody to talk to
		o.Asker = talk.New(talk.Options{Hub: h.hub, Now: time.Now, Wait: h.Config.Headless.Turn, Log: h.Log})
	}
	return puck.Routes(o)
}
