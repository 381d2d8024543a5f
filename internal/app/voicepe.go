package app

import (
	"time"

	"nod/internal/surface/voicepe"
	"nod/internal/talk"
)

// signOfLife is how long somebody at a puck waits before it is told that the
// answer is still being worked on.
const signOfLife = 15 * time.Second

// voicePE is the wire of voice pucks over MQTT.
func (h *house) voicePE() {
	c := h.Config.VoicePE
	if !c.Enabled {
		return
	}
	bus := h.bus()
	if bus == nil {
		h.Log.Warn("the voice puck is left out: there is no MQTT broker; set [mqtt] url or embedded")
		return
	}
	o := voicepe.Options{
		Hub: h.hub, Bus: bus, Assistant: c.Assistant, Prefix: c.Prefix, Homelab: c.Homelab, Owner: voicepe.Owner(c.Owner),
		Trusted: h.trustsBus(), TimeoutDenies: c.TimeoutDenies, Language: c.Language, Context: c.Context, Turns: c.Turns,
		Patience: h.Config.Headless.Turn, Proof: h.Config.Passkey.Required, Rate: h.Config.Brain.Rate, Now: time.Now, Log: h.Log,
	}
	if !h.Demo { // which has nobody to talk to
		wait := signOfLife
		if c.Owner == string(voicepe.ByNod) { // the puck keeps its own time
			wait = h.Config.Headless.Turn
		}
		o.Asker = talk.New(talk.Options{Hub: h.hub, Now: time.Now, Wait: wait, Log: h.Log})
	}
	// Of several hubs with one log only one speaks to the pucks.
	h.run = append(h.run, h.hub.AsLeader("voicepe", voicepe.New(o).Run))
}
