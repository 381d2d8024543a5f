package claude

import (
	"time"

	"nod"
)

// Config is the section of Claude Code in a terminal. See docs/claude-code.md.
type Config struct {
	HandBack time.Duration `toml:"hand_back"` // how long a request that hides its dialog is held while nobody is watching
	Proof    time.Duration `toml:"proof"`     // how soon an agent should show that it did what was decided
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { *c = Config{HandBack: 30 * time.Second, Proof: 5 * time.Second} }

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.HandBack < time.Second || c.Proof < time.Second {
		return nod.Errorf(nod.Invalid, "claude.hand_back and claude.proof are at least \"1s\"")
	}
	return nil
}
