package relay

import (
	"net/url"
	"time"

	"nod"
	"nod/internal/config"
)

// Config is the section of Prompt Relay: its clients and its devices. See
// docs/prompt-relay.md and docs/devices-relay.md.
type Config struct {
	Listen  config.Addresses `toml:"listen"`                     // more addresses, where Prompt Relay has every path to itself: `":3939"`
	Plain   config.Addresses `toml:"insecure_plain_http_listen"` // the same without encryption, also in the network: everyone there can read keys, commands and answers; only keys of a room work
	AnyKey  bool             `toml:"any_key"`                    // any key of 8 to 128 characters opens a room of its own, as in the original
	Share   []string         `toml:"share"`                      // rooms that see the requests of nod's own agents
	Timeout time.Duration    `toml:"timeout"`                    // how long a request waits unless it says otherwise
	Cleanup time.Duration    `toml:"cleanup"`                    // how long it can be read after that
	Rooms   int              `toml:"max_rooms"`                  // with `any_key`: the most rooms there can be
	APNs    APNsKey          `toml:"apns"`
	Found   string           `toml:"found"` // devices that announce themselves: `off`, `show` them what waits, or let them `answer`
	Peer    []Peer           `toml:"peer"`  // devices that are servers themselves
}

// APNsKey is what it takes to notify Apple devices: a key of one's own.
type APNsKey struct {
	KeyFile    string `toml:"key_file"`   // with APNs: `AuthKey_….p8`
	KeyID      string `toml:"key_id"`     // of Apple's key
	TeamID     string `toml:"team_id"`    // of Apple's developer account
	Bundle     string `toml:"bundle"`     // identifier of the app
	Production bool   `toml:"production"` // use Apple's production service
}

// Peer is an existing Prompt Relay device.
type Peer struct {
	Name     string `toml:"name"`
	URL      string `toml:"url"`
	KeyFile  string `toml:"key_file"`  // with APNs: `AuthKey_….p8`
	ReadOnly bool   `toml:"read_only"` // it shows what waits, and its buttons do nothing
	AtOnce   int    `toml:"at_once"`   // requests on it at the same time; more than one is for peers without buttons
}

// Defaults sets what holds unless the file says otherwise.
func (r *Config) Defaults() {
	*r = Config{Timeout: 2 * time.Minute, Cleanup: 5 * time.Minute, Rooms: 10, Found: "off"}
}

// Check refuses what cannot work.
func (r Config) Check() error {
	if r.Timeout < time.Second || r.Cleanup < time.Second || r.Rooms < 1 {
		return nod.Errorf(nod.Invalid, "relay.timeout and relay.cleanup are at least \"1s\", and relay.max_rooms at least 1")
	}
	if r.Found != "off" && r.Found != "show" && r.Found != "answer" {
		return nod.Errorf(nod.Invalid, "relay.found = %q is none of \"off\", \"show\", \"answer\"", r.Found)
	}
	a := r.APNs
	if some := a.KeyFile != "" || a.KeyID != "" || a.TeamID != "" || a.Bundle != ""; some && (a.KeyFile == "" || a.KeyID == "" || a.TeamID == "" || a.Bundle == "") {
		return nod.Errorf(nod.Invalid, "[relay.apns] needs key_file, key_id, team_id and bundle, all of them")
	}
	for i, p := range r.Peer {
		if u, err := url.Parse(p.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nod.Errorf(nod.Invalid, "[[relay.peer]] number %d: url = %q; it looks like http://prompt-relay.local:3939", i+1, p.URL)
		}
		if p.Name == "" || p.AtOnce < 0 || p.AtOnce > 8 {
			return nod.Errorf(nod.Invalid, "[[relay.peer]] number %d needs a name, and at_once is 8 at most", i+1)
		}
	}
	return nil
}
