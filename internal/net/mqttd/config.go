package mqttd

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"nod"
)

// Config is the section of the broker that devices and Home Assistant share with the
// hub. See docs/mqtt.md.
type Config struct {
	URL          string `toml:"url"`           // your broker: `mqtt://host:1883` or `mqtts://host:8883`; empty: none
	Version      string `toml:"version"`       // `5` or `3.1.1`
	Username     string `toml:"username"`      // account at your broker
	PasswordFile string `toml:"password_file"` // file whose first line is the password
	ClientID     string `toml:"client_id"`     // empty: made from this machine's name
	CA           string `toml:"ca"`            // certificate of a CA that signed the broker's own
	Embedded     bool   `toml:"embedded"`      // nod is the broker itself; tokens are the passwords
	Listen       string `toml:"listen"`        // where it listens then
	TLS          bool   `toml:"tls"`           // with the hub's certificate, see [tls]
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { *c = Config{Version: "5", Listen: "127.0.0.1:1883"} }

// On reports whether there is a broker.
func (c Config) On() bool { return c.URL != "" || c.Embedded }

// Broker is the address of the broker elsewhere, which Check has validated.
func (c Config) Broker() *url.URL {
	u, _ := url.Parse(c.URL)
	return u
}

// Check refuses what cannot work.
func (c Config) Check() error {
	if !slices.Contains([]string{"5", "3.1.1"}, c.Version) {
		return nod.Errorf(nod.Invalid, "mqtt.version = %q: nod speaks \"5\" and \"3.1.1\"", c.Version)
	}
	if len(c.ClientID) > 100 || strings.ContainsFunc(c.ClientID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nod.Errorf(nod.Invalid, "mqtt.client_id is at most 100 plain letters without blanks")
	}
	if c.URL != "" && c.Embedded {
		return nod.Errorf(nod.Invalid, "mqtt.url and mqtt.embedded are both set: either nod uses your broker, or it is one")
	}
	if c.Embedded {
		if _, port, err := net.SplitHostPort(c.Listen); err != nil || port == "" {
			return nod.Errorf(nod.Invalid, "mqtt.listen = %q is no address; it looks like \"127.0.0.1:1883\", or \":1883\" for the whole network", c.Listen)
		}
		return nil
	}
	if c.URL == "" {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Hostname() == "" || u.User != nil || !slices.Contains([]string{"mqtt", "mqtts"}, u.Scheme) {
		return nod.Errorf(nod.Invalid, "mqtt.url is no address of a broker; it looks like mqtt://homeassistant.local:1883, or mqtts:// with TLS, without a name or a password in it")
	}
	if c.PasswordFile != "" && c.Username == "" {
		return nod.Errorf(nod.Invalid, "mqtt.password_file is set, but mqtt.username is not: a broker wants both")
	}
	if c.CA != "" && u.Scheme != "mqtts" {
		return nod.Errorf(nod.Invalid, "mqtt.ca is set, but mqtt.url does not begin with mqtts://, so nothing would be encrypted")
	}
	return nil
}
