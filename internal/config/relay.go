package config

import (
	"fmt"
	"net/url"
	"time"

	"nod"
)

// Relay is the section of Prompt Relay: its clients, its devices, its wire.
type Relay struct {
	Listen  Addresses     `toml:"listen"`    // further addresses, where the wire has every path to itself: ":3939"
	AnyKey  bool          `toml:"any_key"`   // any key of 8 to 128 characters opens a room of its own, as the original has it
	Share   []string      `toml:"share"`     // rooms that see what nod's own agents ask
	Timeout time.Duration `toml:"timeout"`   // how long a request waits unless it says otherwise
	Cleanup time.Duration `toml:"cleanup"`   // how long it can be read
	Rooms   int           `toml:"max_rooms"` // with any_key: how many there are at most
	APNs    APNs          `toml:"apns"`
	Peer    []RelayPeer   `toml:"peer"` // devices that are servers themselves
}

// APNs is what it takes to notify Apple devices: a key of one's own.
type APNs struct {
	KeyFile    string `toml:"key_file"` // AuthKey_….p8
	KeyID      string `toml:"key_id"`
	TeamID     string `toml:"team_id"`
	Bundle     string `toml:"bundle"`
	Production bool   `toml:"production"`
}

// RelayPeer is an existing Prompt Relay device.
type RelayPeer struct {
	Name    string `toml:"name"`
	URL     string `toml:"url"`
	KeyFile string `toml:"key_file"` // its first line is the device's key
}

// Addresses is one address to listen on, or a list of them.
type Addresses []string

// UnmarshalTOML takes both.
func (a *Addresses) UnmarshalTOML(value any) error {
	switch v := value.(type) {
	case string:
		*a = Addresses{v}
		return nil
	case []any:
		*a = nil
		for _, one := range v {
			text, ok := one.(string)
			if !ok {
				return fmt.Errorf("%v is no address; it looks like \":3939\"", one)
			}
			*a = append(*a, text)
		}
		return nil
	}
	return fmt.Errorf("%v is no address; it looks like \":3939\"", value)
}

func (r Relay) check() error {
	if r.Timeout < time.Second || r.Cleanup < time.Second || r.Rooms < 1 {
		return nod.Errorf(nod.Invalid, "relay.timeout and relay.cleanup are at least \"1s\", and relay.max_rooms at least 1")
	}
	a := r.APNs
	if some := a.KeyFile != "" || a.KeyID != "" || a.TeamID != "" || a.Bundle != ""; some && (a.KeyFile == "" || a.KeyID == "" || a.TeamID == "" || a.Bundle == "") {
		return nod.Errorf(nod.Invalid, "[relay.apns] needs key_file, key_id, team_id and bundle, all of them")
	}
	for i, p := range r.Peer {
		if u, err := url.Parse(p.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nod.Errorf(nod.Invalid, "[[relay.peer]] number %d: url = %q; it looks like http://prompt-relay.local:3939", i+1, p.URL)
		}
		if p.KeyFile == "" {
			return nod.Errorf(nod.Invalid, "[[relay.peer]] number %d needs a key_file with the device's key", i+1)
		}
	}
	return nil
}
