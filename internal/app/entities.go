package app

import "nod/internal/surface/entities"

// entities shows agents as devices of Home Assistant.
func (a *app) entities() {
	if !a.Config.Entities.Enabled {
		return
	}
	if bus := a.bus(); bus != nil {
		a.use("entities", entities.New(a.Config.Entities, a.deps(), entities.Needs{
			Bus: bus, ID: a.mqttName(), Status: a.statusTopic(), Trusted: a.trustsBus(),
		}))
	}
}
