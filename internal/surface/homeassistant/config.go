package homeassistant

import (
	"net/url"
	"slices"

	"nod"
	"nod/internal/present/risk"
)

// Config is the section of a Home Assistant whose satellites nod speaks
// through. See docs/home-assistant-voice.md.
type Config struct {
	URL        string   `toml:"url"`        // `http://homeassistant.local:8123`; empty: none
	TokenFile  string   `toml:"token_file"` // file with a long-lived access token that only you can read
	Satellites []string `toml:"satellites"` // entities or names of devices; none: all
	Language   string   `toml:"language"`   // `en`, `pl` or `ja`; empty: Home Assistant's own
	Ring       bool     `toml:"ring"`       // light the rings
	Dial       string   `toml:"dial"`       // how a dial is read: `volume`, `event` or `off`
	Agents     []string `toml:"agents"`     // whose requests are spoken; none: all
	Assistant  string   `toml:"assistant"`  // who is asked by voice; empty: the first
	Allow      []string `toml:"allow"`      // destructive commands that a yes may allow, said twice: `kubectl apply`
	Sentences  []string `toml:"sentences"`  // what begins a question by voice: `ask claude {query}`; none: the usual ones
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { *c = Config{Ring: true, Dial: "volume"} }

// Check refuses what cannot work.
func (c Config) Check() error {
	if !slices.Contains([]string{"volume", "event", "off"}, c.Dial) {
		return nod.Errorf(nod.Invalid, "homeassistant.dial = %q: choose \"volume\" (turning moves the volume, which nod watches and sets back), \"event\" (only a dial with its own event) or \"off\"", c.Dial)
	}
	if !slices.Contains([]string{"", "en", "pl", "ja"}, c.Language) {
		return nod.Errorf(nod.Invalid, "homeassistant.language = %q: nod speaks en, pl and ja", c.Language)
	}
	if err := risk.CheckNamed("homeassistant.allow", c.Allow); err != nil {
		return err
	}
	if c.URL == "" {
		return nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.User != nil || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
		return nod.Errorf(nod.Invalid, "homeassistant.url is no address of a Home Assistant; it looks like http://homeassistant.local:8123, without a name or a password in it")
	}
	if c.TokenFile == "" {
		return nod.Errorf(nod.Invalid, "homeassistant.url is set, but homeassistant.token_file is not: make a long-lived access token in Home Assistant (your profile → Security), put it into a file that only you can read, and name the file here")
	}
	return nil
}
