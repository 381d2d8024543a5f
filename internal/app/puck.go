package app

import (
	"time"

	"nod/internal/net/httpd"
	"nod/internal/surface/puck"
)

// pucks are voice pucks on a page, to try everything with a mouse.
func (a *app) pucks() []httpd.Route {
	o := puck.Options{
		Hub: a.hub, Gate: a.gate, Assistant: a.Config.VoicePE.Assistant, Proof: a.Config.Passkey.Required, Now: time.Now, Log: a.Log,
	}
	if !a.Demo { // which has nobody to talk to
		o.Asker = a.asker(a.Config.Headless.Turn)
	}
	return puck.Routes(o)
}
