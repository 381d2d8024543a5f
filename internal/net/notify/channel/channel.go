// Package channel holds the ways to deliver notes: push services, chats, mail, a signed webhook, and this machine's
// own screen. Channels that can replace or remove a message have their own code here; the many that only send go
// through one library.
package channel

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"nod"
	"nod/internal/net/notify"
)

// Settings are the configuration of one channel. Which fields count depends on the kind; docs/notifications.md has
// the table.
type Settings struct {
	Kind     string
	URL      string // of the server, or the whole address of a webhook
	Token    Secret // of a bot, an application, a user
	User     string // ntfy, email: the account of the password; pushover: the recipient
	Password Secret
	Topic    string   // ntfy
	Chat     string   // telegram: the chat; slack with a token: the channel
	Users    []int64  // telegram: group members who may answer; empty: the person of a private chat
	Clear    Secret   // gotify: a client token, which may remove messages
	From     string   // email
	To       []string // email
	Secret   Secret   // webhook: the signing key
}

// Outside is what the senders need from the environment; the zero value is the real one.
type Outside struct {
	HTTP *http.Client     // nil: a client that follows no redirects
	Now  func() time.Time // nil: time.Now
	Run  Runner           // nil: runs programs on this machine
}

// Kinds are the kinds of channel that New supports.
func Kinds() []string {
	return []string{"ntfy", "telegram", "discord", "slack", "pushover", "gotify", "email", "webhook", "desktop", "shoutrrr"}
}

// Chats reports whether a kind delivers button presses itself, so that it needs no public address of the hub.
func Chats(kind string) bool { return kind == "telegram" }

// New makes the sender for some settings, or says what is missing.
func New(s Settings, o Outside) (notify.Sender, error) {
	if o.HTTP == nil {
		o.HTTP = NewClient()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Run == nil {
		o.Run = runProgram
	}
	switch s.Kind {
	case "ntfy":
		return newNtfy(s, o)
	case "telegram":
		return newTelegram(s, o)
	case "discord":
		return newDiscord(s, o)
	case "slack":
		return newSlack(s, o)
	case "pushover":
		return newPushover(s, o)
	case "gotify":
		return newGotify(s, o)
	case "email":
		return newEmail(s, o)
	case "webhook":
		return newWebhook(s, o)
	case "desktop":
		return newDesktop(o)
	case "shoutrrr":
		return newShoutrrr(s)
	}
	return nil, nod.Errorf(nod.Invalid, "unknown kind %q of a channel: choose from %s", s.Kind, strings.Join(Kinds(), ", "))
}

// address checks a configured address, or returns the default.
func address(s Settings, usual string) (string, error) {
	text := s.URL
	if text == "" {
		text = usual
	}
	if text == "" {
		return "", missing(s.Kind, "url")
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", nod.Errorf(nod.Invalid, "the url of a channel of kind %s must begin with https:// or http://", s.Kind)
	}
	return strings.TrimRight(text, "/"), nil
}

func missing(kind, key string) error {
	return nod.Errorf(nod.Invalid, "a channel of kind %s needs %s", kind, key)
}
