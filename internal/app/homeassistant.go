package app

import "nod/internal/surface/homeassistant"

// homeAssistant lets nod speak through the satellites of a Home Assistant; nil: there
// is none.
func (a *app) homeAssistant() *homeassistant.Surface {
	if a.Config.HomeAssistant.URL == "" {
		return nil
	}
	s, err := homeassistant.New(a.Config.HomeAssistant, a.deps(), homeassistant.Needs{Turn: a.Config.Headless.Turn})
	if err != nil {
		a.Log.Error("Home Assistant is left out", "err", err)
		return nil
	}
	a.use("homeassistant", s)
	return s
}
