package config

import "net/netip"

// Metrics is the section of the numbers for Prometheus.
type Metrics struct {
	TrustedNetworks []string `toml:"trusted_networks"` // whoever calls from there may read /metrics without a token
}

// Networks are the trusted ones; what is no network was refused when it was read.
func (m Metrics) Networks() []netip.Prefix { return networks(m.TrustedNetworks) }

func (m Metrics) check() error { return checkNetworks("metrics", m.TrustedNetworks) }
