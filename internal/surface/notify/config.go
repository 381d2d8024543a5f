package notify

import (
	"slices"
	"strings"
	"time"

	"nod"
)

// Config is the section of notifications by ntfy, Telegram and others: who gets them,
// by which channels, in which order. See docs/notifications.md.
type Config struct {
	Public        string          `toml:"public"`          // the hub's address as phones call it; empty: the one it listens on
	LinksFromHere bool            `toml:"links_from_here"` // links work on this machine too, as they must behind a proxy that runs here
	Content       string          `toml:"content"`         // how much a notification says: `full`, `short` or `none`
	Lang          string          `toml:"lang"`            // `en`, `pl` or `ja`
	Quiet         string          `toml:"quiet"`           // quiet hours: `"22:00-07:00"`
	Zone          string          `toml:"zone"`            // time zone of the quiet hours: `"Europe/Warsaw"`
	DoneAfter     time.Duration   `toml:"done_after"`      // how long an agent must work before you hear that it is done
	Wait          time.Duration   `toml:"wait"`            // how long one channel has before the next one is used
	Ntfy          Ntfy            `toml:"ntfy"`
	Telegram      Telegram        `toml:"telegram"`
	Channel       []ChannelConfig `toml:"channel"` // all other channels, and more than one of a kind
	Person        []PersonConfig  `toml:"person"`  // who is notified; none: one person with all channels
	Ladder        []StepConfig    `toml:"ladder"`  // who is notified in which order; none: everybody, each channel in turn
}

// Ntfy is a channel called ntfy; without a topic there is none.
type Ntfy struct {
	URL       string `toml:"url"`        // address of the service
	Topic     string `toml:"topic"`      // for ntfy: its topic
	TokenFile string `toml:"token_file"` // file whose first line is the token
	Content   string `toml:"content"`    // how much a notification says: `full`, `short` or `none`
	Buttons   bool   `toml:"buttons"`    // offer answers in the notification
}

// Telegram is a channel called telegram; without a chat there is none.
type Telegram struct {
	Chat      string `toml:"chat"`       // for Telegram: the chat
	TokenFile string `toml:"token_file"` // file whose first line is the token
	URL       string `toml:"url"`        // address of the service
	Content   string `toml:"content"`    // how much a notification says: `full`, `short` or `none`
	Buttons   bool   `toml:"buttons"`    // offer answers in the notification
}

// ChannelConfig is one way to one person. What ends in _file is the first line
// of that file.
type ChannelConfig struct {
	Name         string   `toml:"name"`
	Kind         string   `toml:"kind"`
	URL          string   `toml:"url"` // address of the service
	URLFile      string   `toml:"url_file"`
	TokenFile    string   `toml:"token_file"` // file whose first line is the token
	User         string   `toml:"user"`
	PasswordFile string   `toml:"password_file"`
	Topic        string   `toml:"topic"` // for ntfy: its topic
	Chat         string   `toml:"chat"`  // for Telegram: the chat
	Users        []int64  `toml:"users"`
	ClearFile    string   `toml:"clear_file"`
	From         string   `toml:"from"`
	To           []string `toml:"to"`
	SecretFile   string   `toml:"secret_file"`
	Content      string   `toml:"content"` // how much a notification says: `full`, `short` or `none`
	Buttons      *bool    `toml:"buttons"` // offer answers in the notification
}

// PersonConfig is a person who is notified.
type PersonConfig struct {
	Name     string   `toml:"name"`
	Channels []string `toml:"channels"`
	Quiet    string   `toml:"quiet"` // quiet hours: `"22:00-07:00"`
	Zone     string   `toml:"zone"`  // time zone of the quiet hours: `"Europe/Warsaw"`
	Lang     string   `toml:"lang"`  // `en`, `pl` or `ja`
	News     *bool    `toml:"news"`  // nil: true
}

// StepConfig is one rung of the ladder.
type StepConfig struct {
	To   []string      `toml:"to"`
	Wait time.Duration `toml:"wait"` // how long one channel has before the next one is used
}

// Defaults sets what holds unless the file says otherwise.
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
