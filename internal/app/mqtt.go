package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/surface/entities"
)

// bus is the MQTT broker, or nil if there is none. The first adapter that wants it
// opens it.
func (a *app) bus() mqttd.Bus {
	if a.mqtt != nil || !a.Config.MQTT.On() {
		return a.mqtt
	}
	needs := mqttd.Needs{
		Log: a.Log, ClientID: a.clientID(), Status: a.statusTopic(), Rules: a.Config.VoicePE.Rules(),
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
	if a.source != nil {
		needs.Certificate = a.source.TLS
	}
	bus, err := mqttd.Open(a.Config.MQTT, needs)
	if err != nil {
		a.Log.Error(nod.MessageOf(err), "err", err)
		return nil
	}
	a.use("mqtt", bus)
	a.mqtt = bus
	return bus
}

// clientID stays the same for this hub and differs from any other's: a broker
// disconnects the first of two clients with the same id.
func (a *app) clientID() string {
	sum := sha256.Sum256([]byte(hostname() + "\x00" + a.Data))
	return "nod-" + hex.EncodeToString(sum[:6])
}

// mqttName tells this hub from others at the same broker: on other machines, and
// of other people on this one.
func (a *app) mqttName() string {
	sum := sha256.Sum256([]byte(a.Data))
	return hostname() + "-" + hex.EncodeToString(sum[:3])
}

// statusTopic says whether this hub is online. At its own broker it is alone;
// elsewhere the end of one must not look like the end of all.
func (a *app) statusTopic() string {
	if a.Config.MQTT.Embedded {
		return mqttd.StatusTopic
	}
	return "nod/" + entities.Node(a.mqttName()) + "/status"
}

// trustsBus reports whether clients that publish at the broker may answer: at nod's
// own all are known; elsewhere the broker's accounts must guard it.
func (a *app) trustsBus() bool {
	return a.Config.MQTT.Embedded || a.Config.MQTT.Username != "" || a.Config.VoicePE.TrustBroker
}
