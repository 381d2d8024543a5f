package entities

import (
	"strings"
	"time"

	"nod"
)

// Config is the section of agents as devices of Home Assistant, found over MQTT. See
// docs/entities.md.
type Config struct {
	Enabled       bool          `toml:"enabled"`       // when there is a broker, see [mqtt]
	Prefix        string        `toml:"prefix"`        // of Home Assistant's discovery
	Content       string        `toml:"content"`       // how much of what agents say is published: `full`, `short` or `none`
	Keep          time.Duration `toml:"keep"`          // how long the device of an ended agent stays
	Conversations bool          `toml:"conversations"` // conversations without a terminal are devices too
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() {
	*c = Config{Enabled: true, Prefix: "homeassistant", Content: "short", Keep: 10 * time.Minute}
}

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Content != "full" && c.Content != "short" && c.Content != "none" {
		return nod.Errorf(nod.Invalid, "entities.content = %q is none of \"full\", \"short\", \"none\"", c.Content)
	}
	if c.Keep < time.Second {
		return nod.Errorf(nod.Invalid, "entities.keep is at least \"1s\"")
	}
	if c.Prefix == "" || len(c.Prefix) > 100 || strings.ContainsAny(c.Prefix, "+#\x00") || strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/") {
		return nod.Errorf(nod.Invalid, "entities.prefix = %q is no topic; Home Assistant's own is \"homeassistant\"", c.Prefix)
	}
	return nil
}
