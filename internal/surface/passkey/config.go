package passkey

import (
	"slices"
	"strings"

	"nod"
)

// Config is the section of confirming with a fingerprint, a face or a PIN.
// See docs/passkeys.md.
type Config struct {
	Required []string `toml:"required"` // levels of risk that only a passkey can allow: `destructive`, `secret`, …; none: off
}

// Check refuses a level that does not exist: it would protect nothing, silently.
func (c Config) Check() error {
	levels := []string{"read", "write", "network", "destructive", "secret", "unknown"}
	for _, l := range c.Required {
		if !slices.Contains(levels, l) {
			return nod.Errorf(nod.Invalid, "passkey.required: %q is no level of risk; choose from %s", l, strings.Join(levels, ", "))
		}
	}
	return nil
}
