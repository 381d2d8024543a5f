package app

import "nod/internal/config"

// DefaultConfig is what holds without a file.
func DefaultConfig() (c Config) {
	_, _ = config.Parse(&c, "", "", func(string) string { return "" })
	return c
}
