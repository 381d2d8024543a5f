// Package channel is the ways by which notes leave the house: push services,
// chats, mail, a signed call to anything else, and this machine's own screen.
// Where a channel can replace or take back what it has shown, it does, and for
// that each is written here; the many that only send go through one library.
package channel

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"nod"
	"nod/internal/net/notify"
)

// Settings are what a person wrote about one channel. Which ones count depends
// on the kind; docs/notifications.md has the table.
type Settings struct {
	Kind     string
	URL      string // of the server, or a webhook's whole address
	Token    Secret // of a bot, an application, a user
	User     string // ntfy, email: whose password it is; pushover: who is told
	Password Secret
	Topic    string   // ntfy
	Chat     string   // telegram: the chat; slack with a token: the channel
	Users    []int64  // telegram: who of a group may answer; empty: whoever the chat is with
	Clear    Secret   // gotify: a client token, which may remove messages
	From     string   // email
	To       []string // email
	Secret   Secret   // webhook: what signatures are made with
}

// Outside is what the senders use of the world; the zero value is the world.
type Outside struct {
	HTTP *http.Client     // nil: one that follows no redirects
	Now  func() time.Time // nil: time.Now
	Run  Runner           // nil: programs of this machine
}

// Kinds are the kinds of channel that New makes.
func Kinds() []string {
	return []string{"ntfy", "telegram", "discord", "slack", "pushover", "gotify", "email", "webhook", "desktop", "shoutrrr"}
}

// Chats reports whether a kind brings presses back by itself, so that it needs
// no address of the hub.
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

// address checks what a person wrote, or takes what everybody uses.
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
