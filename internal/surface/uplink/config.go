package uplink

import (
	"net/url"

	"nod"
)

// Config is the section of a machine whose people are at a hub elsewhere. See docs/link.md.
type Config struct {
	Hub       string `toml:"hub"`        // `https://nod.example.org:8742`
	TokenFile string `toml:"token_file"` // file whose first line is what `nod hosts add` printed there
	CA        string `toml:"ca"`         // a PEM file, where that hub has a CA of its own
}

// Check refuses what cannot be linked with.
func (l Config) Check() error {
	if l.Hub == "" {
		return nil
	}
	u, err := url.Parse(l.Hub)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nod.Errorf(nod.Invalid, "link.hub = %q is no address of a hub; it looks like https://nod.example.org:8742", l.Hub)
	}
	if l.TokenFile == "" {
		return nod.Errorf(nod.Invalid, "link.token_file is missing: `nod hosts add NAME` on the hub prints a token; put it into a file that only you can read")
	}
	return nil
}
