package voicebridge

import "net/netip"

// Config is the section of the voice bridge.
type Config struct {
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // callers from there may see and answer, by the voice bridge only
}
