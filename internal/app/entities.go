package app

import (
	"context"
	"os"
	"time"

	"nod/internal/net/mqttd"
	"nod/internal/present/words"
	"nod/internal/surface/entities"
)

// entities are agents as devices of Home Assistant.
func (a *app) entities() {
	if !a.Config.Entities.Enabled {
		return
	}
	bus := a.bus()
	if bus == nil {
		return
	}
	a.run = append(a.run, func(ctx context.Context) { a.newEntities(bus).Run(ctx) })
}

// newEntities is called when the address is known.
func (a *app) newEntities(bus mqttd.Bus) *entities.Surface {
	c := a.Config.Entities
	return entities.New(entities.Options{
		Hub: a.hub, Bus: bus, ID: a.mqttName(), Status: a.statusTopic(), Prefix: c.Prefix, Content: entities.Content(c.Content), Keep: c.Keep, Talks: c.Conversations, TrustsBus: a.trustsBus(),
		Proof: a.Config.Passkey.Required, Say: words.For(os.Getenv), Address: a.public, Version: a.Version, Now: time.Now, Log: a.Log,
	})
}
