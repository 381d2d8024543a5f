package wyoming

import (
	"net"
	"net/netip"
	"time"

	"nod"
)

// Config is the section of the conversation agent that Home Assistant can discover.
// See docs/wyoming.md.
type Config struct {
	Listen          string         `toml:"listen"`           // empty: off; `127.0.0.1:10500` for a Home Assistant on this machine, `:10500` for one elsewhere
	Name            string         `toml:"name"`             // of the agent in Home Assistant
	Assistant       string         `toml:"assistant"`        // who answers; empty: the first
	Language        string         `toml:"language"`         // the only language it is offered for: `pl`; empty: all
	Wait            time.Duration  `toml:"wait"`             // how soon it says that it is still working on an answer
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // who may talk from beyond this machine, and confirm
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { *c = Config{Name: "nod", Wait: 4 * time.Second} }

// Beyond reports whether it listens beyond this machine.
func (c Config) Beyond() bool {
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || host == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.IsLoopback()
}

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Wait < time.Second || c.Wait > time.Minute {
		return nod.Errorf(nod.Invalid, "wyoming.wait = %q: Home Assistant says nothing meanwhile, so it is between \"1s\" and \"1m\"", c.Wait)
	}
	if c.Name == "" || len(c.Name) > 60 {
		return nod.Errorf(nod.Invalid, "wyoming.name is what Home Assistant calls the agent: 60 letters at most, and not empty")
	}
	if c.Listen == "" {
		return nil
	}
	if _, port, err := net.SplitHostPort(c.Listen); err != nil || port == "" {
		return nod.Errorf(nod.Invalid, "wyoming.listen = %q is no address; it looks like \"127.0.0.1:10500\"", c.Listen)
	}
	if c.Beyond() && len(c.TrustedNetworks) == 0 {
		return nod.Errorf(nod.Invalid, "wyoming.listen = %q can be reached by other machines, and this protocol knows no password: say which may come in, such as trusted_networks = [\"192.168.1.20/32\"] for your Home Assistant", c.Listen)
	}
	return nil
}
