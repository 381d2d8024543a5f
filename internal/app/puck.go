package app

import (
	"time"

	"nod/internal/net/httpd"
	"nod/internal/surface/puck"
	"nod/internal/talk"
)

// pucks are voice pucks on a page, to try everything with a mouse.
func (a *app) pucks() []httpd.Route {
	o := puck.Options{
		Hub: a.hub, Gate: a.gate, Assistant: a.Config.VoicePE.Assistant, Proof: a.Config.Passkey.Required, Now: time.Now, Log: a.Log,
	}
	if !a.Demo { // which has nobody to talk to
		o.Asker = talk.New(talk.Options{Hub: a.hub, Now: time.Now, Wait: a.Config.Headless.Turn, Log: a.Log})
	}
	return puck.Routes(o)
}
