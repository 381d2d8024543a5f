package app

import "nod/internal/surface/homeassistant"

// homeAssistant lets nod speak through the satellites of a Home Assistant.
func (a *app) homeAssistant() {
	if a.Config.HomeAssistant.URL == "" {
		return
	}
	s, err := homeassistant.New(a.Config.HomeAssistant, a.deps(), homeassistant.Needs{Turn: a.Config.Headless.Turn})
	if err != nil {
		a.Log.Error("Home Assistant is left out", "err", err)
		return
	}
	a.speaker, a.whence = s.Announce, s.Answering
	a.use("homeassistant", s)
}
