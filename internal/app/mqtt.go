package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/surface/entities"
)

// broker is the MQTT broker, and how this hub appears there.
type broker struct {
	mqttd.Bus        // nil: there is none, or no adapter needs it
	id        string // distinguishes this hub from others at the same broker
	status    string // the topic that says whether this hub is online
	trusted   bool   // clients that publish there may answer
}

func (a *app) openBroker() broker {
	c := a.Config
	b := broker{id: machineName(a.Data)}
	// At its own broker the hub is alone; elsewhere the end of one must not look like
	// the end of all.
	b.status = "nod/" + entities.Node(b.id) + "/status"
	if c.MQTT.Embedded {
		b.status = mqttd.StatusTopic
	}
	// nod's own broker knows all its clients; another one must be guarded by accounts.
	b.trusted = c.MQTT.Embedded || c.MQTT.Username != "" || c.VoicePE.TrustBroker
	if c.MQTT.On() && (c.VoicePE.Enabled || c.Entities.Enabled) {
		b.Bus = a.openBus(b.status)
	}
	if c.VoicePE.Enabled && b.Bus == nil {
		a.Log.Warn("the voice puck is left out: there is no MQTT broker; set [mqtt] url or embedded")
	}
	return b
}

func (a *app) openBus(status string) mqttd.Bus {
	needs := mqttd.Needs{
		Log: a.Log, ClientID: a.clientID(), Status: status, Rules: a.Config.VoicePE.Rules(), Certificate: a.certificates.config(),
		Admit: func(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
			return a.credentials.Admit(ctx, password, "mqtt")
		},
		Refused: func(by nod.Actor, topic string) {
			// The hub refuses it once more, and so records who tried what.
			by.Rights = 0
			_ = a.hub.Desk(by).Allowed(context.Background(), nod.Answering, "publish to "+topic)
		},
	}
	needs.Rules.Discovery = a.Config.Entities.Prefix
	bus, err := mqttd.Open(a.Config.MQTT, needs)
	if err != nil {
		a.Log.Error(nod.MessageOf(err), "err", err)
		return nil
	}
	return bus
}

// clientID stays the same for this hub and differs from any other's: a broker
// disconnects the first of two clients with the same id.
func (a *app) clientID() string {
	sum := sha256.Sum256([]byte(hostname() + "\x00" + a.Data))
	return "nod-" + hex.EncodeToString(sum[:6])
}
