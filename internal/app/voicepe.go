package app

import (
	"time"

	"nod/internal/surface/voicepe"
)

// signOfLife is how long somebody at a puck waits before it is told that the
// answer is still being worked on.
const signOfLife = 15 * time.Second

// voicePE is the wire of voice pucks over MQTT.
func (a *app) voicePE() {
	c := a.Config.VoicePE
	if !c.Enabled {
		return
	}
	bus := a.bus()
	if bus == nil {
		a.Log.Warn("the voice puck is left out: there is no MQTT broker; set [mqtt] url or embedded")
		return
	}
	o := voicepe.Options{
		Hub: a.hub, Bus: bus, Assistant: c.Assistant, Prefix: c.Prefix, Homelab: c.Homelab, Owner: voicepe.Owner(c.Owner),
		Trusted: a.trustsBus(), TimeoutDenies: c.TimeoutDenies, Language: c.Language, Context: c.Context, Turns: c.Turns,
		Patience: a.Config.Headless.Turn, Proof: a.Config.Passkey.Required, Rate: a.Config.Brain.Rate, Now: time.Now, Log: a.Log,
	}
	if !a.Demo { // which has nobody to talk to
		wait := signOfLife
		if c.Owner == string(voicepe.ByNod) { // the puck keeps its own time
			wait = a.Config.Headless.Turn
		}
		o.Asker = a.asker(wait)
	}
	// Of several hubs with one log only one speaks to the pucks.
	a.run = append(a.run, a.hub.AsLeader("voicepe", voicepe.New(o).Run))
}
