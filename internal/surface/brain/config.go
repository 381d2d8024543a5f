package brain

import (
	"net/netip"
	"time"

	"nod"
)

// Config is the section of what is asked by voice and by other programs: /ask, and
// the interfaces of Ollama and OpenAI. See docs/brain.md and docs/ollama.md.
type Config struct {
	Assistant       string         `toml:"assistant"`        // who answers `/ask`; empty: the first
	Context         time.Duration  `toml:"context"`          // how long a conversation remembers, unless its assistant says otherwise
	Wait            time.Duration  `toml:"wait"`             // how long a call waits before it answers that it takes longer
	Rate            int            `toml:"rate"`             // questions a minute for one client
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // callers from these networks need no token, for these endpoints only
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { *c = Config{Context: 5 * time.Minute, Wait: 110 * time.Second, Rate: 30} }

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Context < time.Second || c.Wait < time.Second || c.Rate < 1 {
		return nod.Errorf(nod.Invalid, "brain.context and brain.wait are at least \"1s\", and brain.rate at least 1")
	}
	return nil
}
