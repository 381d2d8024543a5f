package voicebridge

import "net/netip"

// Config is the section of the voice bridge. See docs/voice-bridge.md.
type Config struct {
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // callers from these networks need no token, for the voice bridge only: `["192.168.1.0/24"]`
}
