package push

// Config is the section of notifications to browsers.
type Config struct {
	Contact string `toml:"contact"` // whom a push service may write to: mailto:you@example.org or https://…
	Private bool   `toml:"private"` // also push services on this machine and in the own network
}
