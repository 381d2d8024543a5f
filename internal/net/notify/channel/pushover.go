package channel

import (
	"context"
	"errors"
	"html"
	"net/http"
	"strings"
	"time"

	"nod/internal/net/notify"
)

// pushover sends to one user. A sent message cannot be changed, but it can have an expiry.
type pushover struct {
	Outside
	url, token, user string
}

func newPushover(s Settings, o Outside) (*pushover, error) {
	at, err := address(s, "https://api.pushover.net")
	switch {
	case err != nil:
		return nil, err
	case s.Token == "":
		return nil, missing(s.Kind, "token_file, with the token of an application")
	case s.User == "":
		return nil, missing(s.Kind, "user, the key of the user or group")
	}
	return &pushover{o, at, s.Token.Reveal(), s.User}, nil
}

type pushoverMessage struct {
	Token    string `json:"token"`
	User     string `json:"user"`
	Title    string `json:"title"`
	Message  string `json:"message"`
	HTML     int    `json:"html"`
	Priority int    `json:"priority"`
	URL      string `json:"url,omitempty"`
	URLTitle string `json:"url_title,omitempty"`
	Time     int64  `json:"timestamp"`
	TTL      int64  `json:"ttl,omitempty"`
}

// Show implements notify.Sender.
func (c *pushover) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	m := pushoverMessage{
		Token: c.token, User: c.user, Title: within(n.Title, 240), URL: n.Link, HTML: 1,
		Message: html.EscapeString(within(n.Body, 600)), Time: n.At.Unix(),
	}
	switch {
	case n.Silent:
		m.Priority = -1
	case n.Urgent():
		m.Priority = 1
	}
	if n.Link != "" {
		m.URLTitle = n.Open
	}
	for _, b := range n.Buttons {
		if b.URL != "" {
			m.Message = strings.TrimPrefix(m.Message+"\n", "\n") + `<a href="` + html.EscapeString(b.URL) + `">` + html.EscapeString(b.Label) + `</a>`
		}
	}
	if m.Message == "" {
		m.Message = html.EscapeString(m.Title) // it must not be empty
	}
	if n.Until != nil {
		m.TTL = max(1, int64(n.Until.Sub(c.Now())/time.Second))
	}
	err := do(ctx, c.HTTP, call{http.MethodPost, c.url + "/1/messages.json", nil, m}, c.Now, nil)
	var f *notify.Failure
	if errors.As(err, &f) && f.Status == http.StatusBadRequest && (strings.Contains(f.Detail, `"token":"invalid"`) || strings.Contains(f.Detail, `"user":"invalid"`)) {
		f.Outcome = notify.Broken
	}
	return "", err
}

// Settle implements notify.Sender.
func (c *pushover) Settle(context.Context, notify.Handle, notify.Note) error { return nil }
