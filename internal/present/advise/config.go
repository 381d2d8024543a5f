package advise

import (
	"time"

	"nod"
)

// Config is the section of suggestions: rules always, and a small model if one is
// named. See docs/suggestions.md.
type Config struct {
	Model   string        `toml:"model"`    // a small model that chooses among the suggestions: `haiku`; empty: none
	PerHour int           `toml:"per_hour"` // how often it is asked at most
	Timeout time.Duration `toml:"timeout"`  // how long one question may take
}

// Defaults sets the values that apply unless the file sets them.
func (a *Config) Defaults() { *a = Config{PerHour: 20, Timeout: 20 * time.Second} }

// Check rejects settings that cannot work.
func (a Config) Check() error {
	if a.PerHour < 0 || a.Timeout < time.Second || a.Timeout > 5*time.Minute {
		return nod.Errorf(nod.Invalid, "advise.per_hour is 0 or more, and advise.timeout from \"1s\" to \"5m\"")
	}
	return nil
}
