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
func (h *house) entities() {
	if !h.Config.Entities.Enabled {
		return
	}
	bus := h.bus()
	if bus == nil {
		return
	}
	h.run = append(h.run, func(ctx context.Context) { h.newEntities(bus).Run(ctx) })
}

// newEntities is called when the house knows its address.
func (h *house) newEntities(bus mqttd.Bus) *entities.Surface {
	c := h.Config.Entities
	return entities.New(entities.Options{
		Hub: h.hub, Bus: bus, ID: h.mqttName(), Status: h.statusTopic(), Prefix: c.Prefix, Content: entities.Content(c.Content), Keep: c.Keep, Talks: c.Conversations, TrustsBus: h.trustsBus(),
		Proof: h.Config.Passkey.Required, Say: words.For(os.Getenv), Address: h.public, Version: h.Version, Now: time.Now, Log: h.Log,
	})
}
