package notify

import (
	"slices"
	"strings"
	"time"

	"nod"
)

// Config is the section of notes: who is told, by which channels, in which order.
type Config struct {
	Public        string          `toml:"public"`          // the hub's address as phones call it; empty: the one it listens on
	LinksFromHere bool            `toml:"links_from_here"` // links may be used on this machine, as they are behind a proxy that runs on it
	Content       string          `toml:"content"`         // full, short or none, unless a channel says otherwise
	Lang          string          `toml:"lang"`            // en, pl or ja, unless a person says otherwise
	Quiet         string          `toml:"quiet"`           // "22:00-07:00", unless a person says otherwise
	Zone          string          `toml:"zone"`            // "Europe/Warsaw"
	DoneAfter     time.Duration   `toml:"done_after"`      // how long an agent works before its end is told
	Wait          time.Duration   `toml:"wait"`            // how long one channel is given before the next
	Ntfy          Ntfy            `toml:"ntfy"`
	Telegram      Telegram        `toml:"telegram"`
	Channel       []ChannelConfig `toml:"channel"` // all others, and more than one of a kind
	Person        []PersonConfig  `toml:"person"`  // none: one, who has all channels
	Ladder        []StepConfig    `toml:"ladder"`  // none: everybody in order, each by each of their channels
}

// Ntfy is a channel called ntfy; without a topic there is none.
type Ntfy struct {
	URL       string `toml:"url"`
	Topic     string `toml:"topic"`
	TokenFile string `toml:"token_file"`
	Content   string `toml:"content"`
	Buttons   bool   `toml:"buttons"`
}

// Telegram is a channel called telegram; without a chat there is none.
type Telegram struct {
	Chat      string `toml:"chat"`
	TokenFile string `toml:"token_file"`
	URL       string `toml:"url"`
	Content   string `toml:"content"`
	Buttons   bool   `toml:"buttons"`
}

// ChannelConfig is one way to one person. What ends in _file is the first line
// of that file.
type ChannelConfig struct {
	Name         string   `toml:"name"`
	Kind         string   `toml:"kind"`
	URL          string   `toml:"url"`
	URLFile      string   `toml:"url_file"`
	TokenFile    string   `toml:"token_file"`
	User         string   `toml:"user"`
	PasswordFile string   `toml:"password_file"`
	Topic        string   `toml:"topic"`
	Chat         string   `toml:"chat"`
	Users        []int64  `toml:"users"`
	ClearFile    string   `toml:"clear_file"`
	From         string   `toml:"from"`
	To           []string `toml:"to"`
	SecretFile   string   `toml:"secret_file"`
	Content      string   `toml:"content"`
	Buttons      *bool    `toml:"buttons"` // nil: true for ntfy and telegram, which are somebody's own
}

// PersonConfig is somebody who is told.
type PersonConfig struct {
	Name     string   `toml:"name"`
	Channels []string `toml:"channels"`
	Quiet    string   `toml:"quiet"`
	Zone     string   `toml:"zone"`
	Lang     string   `toml:"lang"`
	News     *bool    `toml:"news"` // nil: true
}

// StepConfig is one rung of the ladder.
type StepConfig struct {
	To   []string      `toml:"to"`
	Wait time.Duration `toml:"wait"`
}

// Defaults are what holds unless somebody says otherwise.
func (n *Config) Defaults() {
	*n = Config{Content: "short", DoneAfter: 30 * time.Second, Wait: 30 * time.Second, Ntfy: Ntfy{Buttons: true}, Telegram: Telegram{Buttons: true}}
}

// Channels are all of them, the shorthands first.
func (n Config) Channels() []ChannelConfig {
	var list []ChannelConfig
	if c := n.Ntfy; c.Topic != "" {
		list = append(list, ChannelConfig{Name: "ntfy", Kind: "ntfy", URL: c.URL, Topic: c.Topic, TokenFile: c.TokenFile, Content: c.Content, Buttons: &c.Buttons})
	}
	if c := n.Telegram; c.Chat != "" {
		list = append(list, ChannelConfig{Name: "telegram", Kind: "telegram", URL: c.URL, Chat: c.Chat, TokenFile: c.TokenFile, Content: c.Content, Buttons: &c.Buttons})
	}
	for _, c := range n.Channel {
		if c.Name == "" {
			c.Name = c.Kind
		}
		list = append(list, c)
	}
	return list
}

// Check refuses what cannot work.
func (n Config) Check() error {
	if n.DoneAfter < time.Second || n.Wait < time.Second {
		return nod.Errorf(nod.Invalid, "notify.done_after and notify.wait are at least \"1s\"")
	}
	for _, q := range append([]PersonConfig{{Quiet: n.Quiet}}, n.Person...) {
		if from, to, ok := strings.Cut(q.Quiet, "-"); q.Quiet != "" && (!ok || from == "" || to == "") {
			return nod.Errorf(nod.Invalid, "quiet = %q is no span of hours; it looks like \"22:00-07:00\"", q.Quiet)
		}
	}
	for _, lang := range append([]PersonConfig{{Lang: n.Lang}}, n.Person...) {
		if !slices.Contains([]string{"", "en", "pl", "ja"}, lang.Lang) {
			return nod.Errorf(nod.Invalid, "lang = %q: nod speaks en, pl and ja", lang.Lang)
		}
	}
	return nil
}
