package mqttd

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"

	"nod"
	"nod/internal/sys/secretfile"

	"github.com/prometheus/client_golang/prometheus"
)

// Needs is what a bus needs of others. Rules, Admit, Refused and Certificate are for
// nod's own broker, ClientID and Status for another one.
type Needs struct {
	Log         *slog.Logger
	ClientID    string // unless Config says one: must stay the same, and differ from any other's
	Status      string // the topic that says whether this hub is online
	Rules       Rules
	Admit       func(ctx context.Context, user, password string) (in context.Context, who nod.Actor, leave func(), err error)
	Refused     func(by nod.Actor, topic string)
	Certificate func() *tls.Config // of the hub; nil: it has none
}

// Open makes the bus that c describes: nod's own broker, or a client of another one.
// It connects when it runs.
func Open(c Config, n Needs) (Bus, error) {
	if c.Embedded {
		return c.openBroker(n)
	}
	return c.openClient(n)
}

func (c Config) openBroker(n Needs) (Bus, error) {
	o := BrokerOptions{Listen: c.Listen, Rules: n.Rules, Log: n.Log, Admit: n.Admit, Refused: n.Refused}
	if c.TLS {
		if n.Certificate == nil {
			return nil, nod.Errorf(nod.Invalid, "nod's MQTT broker is left out: mqtt.tls is set, but the hub has no certificate; see [tls]")
		}
		o.TLS = n.Certificate()
	}
	return NewBroker(o), nil
}

func (c Config) openClient(n Needs) (Bus, error) {
	o, err := c.ClientOptions()
	if err != nil {
		return nil, err
	}
	o.ClientID, o.Status, o.Log = cmp.Or(c.ClientID, n.ClientID), n.Status, n.Log
	client, err := NewClient(o)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "the MQTT broker is left out").Because(err)
	}
	return client, nil
}

// ClientOptions are how the broker of c.URL is reached: address, account and TLS.
func (c Config) ClientOptions() (Options, error) {
	o := Options{URL: c.Broker(), Version: Version(c.Version), Username: c.Username}
	if c.PasswordFile != "" {
		password, err := secretfile.Read(c.PasswordFile)
		if err != nil {
			return o, nod.Errorf(nod.Invalid, "the MQTT broker is left out: the file with its password cannot be read").Because(err)
		}
		o.Password = password
	}
	if o.secure() {
		roots, err := c.roots()
		if err != nil {
			return o, nod.Errorf(nod.Invalid, "the MQTT broker is left out: mqtt.ca is no file with a certificate").Because(err)
		}
		o.TLS = &tls.Config{ServerName: o.URL.Hostname(), MinVersion: tls.VersionTLS12, RootCAs: roots}
	}
	return o, nil
}

// roots are the CAs that a broker's certificate is checked with; nil: the system's.
func (c Config) roots() (*x509.CertPool, error) {
	if c.CA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("there is no certificate in %s", c.CA)
	}
	return pool, nil
}

// Metrics say whether nod's own broker serves.
func (b *Broker) Metrics() []prometheus.Collector { return b.state.metrics() }

// Metrics say whether the broker is connected.
func (c *Client) Metrics() []prometheus.Collector { return c.state.metrics() }

// Health says when nod's own broker does not serve.
func (b *Broker) Health() error {
	if up, _, _ := b.state.get(); up {
		return nil
	}
	return nod.Errorf(nod.Unavailable, "nod's MQTT broker does not serve on %s; is another program there?", b.o.Listen)
}

// Health says when the broker is not connected.
func (c *Client) Health() error {
	if up, _, _ := c.state.get(); up {
		return nil
	}
	return nod.Errorf(nod.Unavailable, "the MQTT broker %s is not connected; does it run, and are name and password right?", c.o.URL.Host)
}
