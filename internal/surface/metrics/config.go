package metrics

import "net/netip"

// Config is the section of the figures for Prometheus.
type Config struct {
	TrustedNetworks []netip.Prefix `toml:"trusted_networks"` // callers from there may read /metrics without a token
}
