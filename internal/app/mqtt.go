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
)

type mqttBus = mqttd.Bus

// bus is the MQTT broker, or nil if there is none: somebody's broker, or
// nod's own. It is opened once, by whoever wants it first.
func (a *app) bus() mqttd.Bus {
	if a.mqtt == nil && a.Config.MQTT.On() {
		if a.Config.MQTT.Embedded {
			a.mqtt = a.ownBroker()
		} else {
			a.mqtt = a.otherBroker()
		}
	}
	return a.mqtt
}

func (a *app) ownBroker() mqttd.Bus {
	c := a.Config.MQTT
	rules := a.Config.VoicePE.Rules()
	rules.Discovery = a.Config.Entities.Prefix
	o := mqttd.BrokerOptions{
		Listen: c.Listen, Rules: rules, Log: a.Log,
		Admit: func(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
			return a.keeper.Admit(ctx, password, "mqtt")
		},
		Refused: func(by nod.Actor, topic string) {
			// The hub refuses it once more, and so notes who tried what.
			by.Rights = 0
			_ = a.hub.Desk(by).Allowed(context.Background(), nod.Answering, "publish to "+topic)
		},
	}
	if c.TLS {
		if a.source == nil {
			a.Log.Error("nod's MQTT broker is left out: mqtt.tls is set, but the hub has no certificate; see [tls]")
			return nil
		}
		o.TLS = a.source.TLS()
	}
	b := mqttd.NewBroker(o)
	a.run = append(a.run, b.Run)
	return b
}

func (a *app) otherBroker() mqttd.Bus {
	c := a.Config.MQTT
	o := mqttd.Options{
		URL: c.Broker(), Version: mqttd.Version(c.Version), Username: c.Username, ClientID: cmp.Or(c.ClientID, a.clientID()),
		Status: a.statusTopic(), Log: a.Log,
	}
	if c.PasswordFile != "" {
		password, err := firstLine(c.PasswordFile)
		if err != nil {
			a.Log.Error("the MQTT broker is left out: the file with its password cannot be read", "err", err)
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
				a.Log.Error("the MQTT broker is left out: mqtt.ca is no file with a certificate", "file", c.CA, "err", err)
				return nil
			}
		}
	}
	client, err := mqttd.NewClient(o)
	if err != nil {
		a.Log.Error("the MQTT broker is left out", "err", err)
		return nil
	}
	a.run = append(a.run, client.Run)
	return client
}

// clientID stays the same for this hub and differs from any other's: two with
// one id throw each other out.
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

// statusTopic says whether this hub is there. At its own broker it is alone;
// elsewhere the end of one must not look like the end of all.
func (a *app) statusTopic() string {
	if a.Config.MQTT.Embedded {
		return mqttd.StatusTopic
	}
	return "nod/" + entities.Node(a.mqttName()) + "/status"
}

// trustsBus reports whether whoever publishes at the broker may answer: at nod's
// own everybody is known; elsewhere the broker's accounts must guard it.
func (a *app) trustsBus() bool {
	return a.Config.MQTT.Embedded || a.Config.MQTT.Username != "" || a.Config.VoicePE.TrustBroker
}
