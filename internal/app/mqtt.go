package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"os"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/surface/entities"
	"nod/internal/surface/voicepe"
)

type mqttBus = mqttd.Bus

// bus is the MQTT of this house, or nil if there is none: somebody's broker, or
// nod's own. It is opened once, by whoever wants it first.
func (h *house) bus() mqttd.Bus {
	if h.mqtt == nil && h.Config.MQTT.On() {
		if h.Config.MQTT.Embedded {
			h.mqtt = h.ownBroker()
		} else {
			h.mqtt = h.otherBroker()
		}
	}
	return h.mqtt
}

func (h *house) ownBroker() mqttd.Bus {
	c := h.Config.MQTT
	rules := voicepe.Rules(h.Config.VoicePE.Prefix, h.Config.VoicePE.Homelab)
	rules.Discovery = h.Config.Entities.Prefix
	o := mqttd.BrokerOptions{
		Listen: c.Listen, Rules: rules, Log: h.Log,
		Admit: func(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
			return h.keeper.Admit(ctx, password, "mqtt")
		},
		Refused: func(by nod.Actor, topic string) {
			// The hub refuses it once more, and so notes who tried what.
			by.Rights = 0
			_ = h.hub.Desk(by).Allowed(context.Background(), nod.Answering, "publish to "+topic)
		},
	}
	if c.TLS {
		if h.source == nil {
			h.Log.Error("nod's MQTT broker is left out: mqtt.tls is set, but the hub has no certificate; see [tls]")
			return nil
		}
		o.TLS = h.source.TLS()
	}
	b := mqttd.NewBroker(o)
	h.run = append(h.run, b.Run)
	return b
}

func (h *house) otherBroker() mqttd.Bus {
	c := h.Config.MQTT
	o := mqttd.Options{
		URL: c.Broker(), Version: mqttd.Version(c.Version), Username: c.Username, ClientID: cmp.Or(c.ClientID, h.clientID()),
		Status: h.statusTopic(), Log: h.Log,
	}
	if c.PasswordFile != "" {
		password, err := firstLine(c.PasswordFile)
		if err != nil {
			h.Log.Error("the MQTT broker is left out: the file with its password cannot be read", "err", err)
			return nil
		}
		o.Password = password
	}
	if o.URL.Scheme == "mqtts" {
		o.TLS = &tls.Config{ServerName: o.URL.Hostname(), MinVersion: tls.VersionTLS12}
		if c.CA != "" {
			text, err := os.ReadFile(c.CA)
			o.TLS.RootCAs = x509.NewCertPool()
			if err != nil || !o.TLS.RootCAs.AppendCertsFromPEM(text) {
				h.Log.Error("the MQTT broker is left out: mqtt.ca is no file with a certificate", "file", c.CA, "err", err)
				return nil
			}
		}
	}
	client, err := mqttd.NewClient(o)
	if err != nil {
		h.Log.Error("the MQTT broker is left out", "err", err)
		return nil
	}
	h.run = append(h.run, client.Run)
	return client
}

// clientID stays the same for this hub and differs from any other's: two with
// one id throw each other out.
func (h *house) clientID() string {
	sum := sha256.Sum256([]byte(hostname() + "\x00" + h.Data))
	return "nod-" + hex.EncodeToString(sum[:6])
}

// mqttName tells this hub from others at the same broker: on other machines, and
// of other people on this one.
func (h *house) mqttName() string {
	sum := sha256.Sum256([]byte(h.Data))
	return hostname() + "-" + hex.EncodeToString(sum[:3])
}

// statusTopic says whether this hub is there. At its own broker it is alone;
// elsewhere the end of one must not look like the end of all.
func (h *house) statusTopic() string {
	if h.Config.MQTT.Embedded {
		return mqttd.StatusTopic
	}
	return "nod/" + entities.Node(h.mqttName()) + "/status"
}

// trustsBus reports whether whoever publishes at the broker may answer: at nod's
// own everybody is known; elsewhere the broker's accounts must guard it.
func (h *house) trustsBus() bool {
	return h.Config.MQTT.Embedded || h.Config.MQTT.Username != "" || h.Config.VoicePE.TrustBroker
}
