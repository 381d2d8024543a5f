package metrics

import "net/netip"

// Config is the section of the figures for Prometheus. See docs/metrics.md.
type Config struct {
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // callers from these networks may read `/metrics` without a token
}
