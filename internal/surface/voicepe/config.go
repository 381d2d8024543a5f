package voicepe

import (
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/risk"
)

// Config is the section of voice pucks over MQTT. See docs/voice-pe.md and
// docs/mqtt.md.
type Config struct {
	Enabled       bool          `toml:"enabled"`        // needs a broker, see [mqtt]
	Prefix        string        `toml:"prefix"`         // of the topics: `claude/request` and so on
	Owner         string        `toml:"owner"`          // who runs the puck: `nod` or `homeassistant`
	Homelab       bool          `toml:"homelab"`        // the older topics too
	TrustBroker   bool          `toml:"trust_broker"`   // accept answers from a broker without accounts
	TimeoutDenies bool          `toml:"timeout_denies"` // a puck that gave up means no
	Assistant     string        `toml:"assistant"`      // who is asked by voice; empty: the first
	Language      string        `toml:"language"`       // `en`, `pl` or `ja`; empty: the language that is spoken
	Context       time.Duration `toml:"context"`        // how long a conversation remembers
	Turns         int           `toml:"turns"`          // after this many a new conversation begins
	Allow         []string      `toml:"allow"`          // destructive commands that a yes may allow, said twice: `kubectl apply`
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() {
	*c = Config{Prefix: "claude", Owner: "nod", Context: time.Minute, Turns: 20}
}

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Prefix == "" || len(c.Prefix) > 100 || strings.ContainsAny(c.Prefix, "+#\x00$ ") || strings.HasPrefix(c.Prefix, "/") || strings.HasSuffix(c.Prefix, "/") {
		return nod.Errorf(nod.Invalid, "voicepe.prefix = %q is no beginning of topics; the usual one is \"claude\"", c.Prefix)
	}
	if first, _, _ := strings.Cut(c.Prefix, "/"); first == "nod" || first == "homeassistant" {
		return nod.Errorf(nod.Invalid, "voicepe.prefix = %q: what begins with %s/ is taken; the usual prefix is \"claude\"", c.Prefix, first)
	}
	if !slices.Contains([]string{"nod", "homeassistant"}, c.Owner) {
		return nod.Errorf(nod.Invalid, "voicepe.owner = %q: choose \"nod\" (nod runs the puck) or \"homeassistant\" (the package that `nod homeassistant package` writes runs it)", c.Owner)
	}
	if !slices.Contains([]string{"", "en", "pl", "ja"}, c.Language) {
		return nod.Errorf(nod.Invalid, "voicepe.language = %q: nod speaks en, pl and ja", c.Language)
	}
	if err := risk.CheckNamed("voicepe.allow", c.Allow); err != nil {
		return err
	}
	if c.Context < time.Second || c.Turns < 1 {
		return nod.Errorf(nod.Invalid, "voicepe.context is at least \"1s\", and voicepe.turns at least 1")
	}
	return nil
}
