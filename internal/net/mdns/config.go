package mdns

// Config is the section of being found in a home network.
type Config struct {
	Announce bool `toml:"announce"` // announce the hub in the home network when it listens beyond this machine
}

func (c *Config) Defaults() { c.Announce = true }
