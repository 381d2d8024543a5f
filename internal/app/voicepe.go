package app

import "nod/internal/surface/voicepe"

// voicePE connects voice pucks over MQTT.
func (a *app) voicePE() {
	if !a.Config.VoicePE.Enabled {
		return
	}
	bus := a.bus()
	if bus == nil {
		a.Log.Warn("the voice puck is left out: there is no MQTT broker; set [mqtt] url or embedded")
		return
	}
	a.use("voicepe", voicepe.New(a.Config.VoicePE, a.deps(), voicepe.Needs{
		Bus: bus, Trusted: a.trustsBus(), Turn: a.Config.Headless.Turn, Rate: a.Config.Brain.Rate,
	}))
}
