package push

// Config is the section of notifications to browsers. See docs/push.md.
type Config struct {
	Contact string `toml:"contact"` // where a push service may write to: `mailto:you@example.org` or `https://…`
	Private bool   `toml:"private"` // also use push services on this machine and in your own network
}
