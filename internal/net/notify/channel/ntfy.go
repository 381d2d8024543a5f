package channel

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"

	"nod/internal/net/notify"
)

// ntfy publishes to a topic. Since version 2.16 a message replaces the previous one of the same sequence, and can be
// deleted.
type ntfy struct {
	Outside
	server, topic string
	header        http.Header
}

func newNtfy(s Settings, o Outside) (*ntfy, error) {
	server, err := address(s, "https://ntfy.sh")
	if err != nil {
		return nil, err
	}
	if s.Topic == "" {
		return nil, missing(s.Kind, "topic")
	}
	n := &ntfy{Outside: o, server: server, topic: s.Topic, header: bearer(s.Token.Reveal())}
	if s.User != "" && n.header == nil {
		pair := base64.StdEncoding.EncodeToString([]byte(s.User + ":" + s.Password.Reveal()))
		n.header = http.Header{"Authorization": {"Basic " + pair}}
	}
	return n, nil
}

type ntfyMessage struct {
	Topic    string       `json:"topic"`
	Title    string       `json:"title"`
	Message  string       `json:"message"`
	Priority int          `json:"priority"`
	Tags     []string     `json:"tags,omitempty"`
	Click    string       `json:"click,omitempty"`
	Actions  []ntfyAction `json:"actions,omitempty"`
	Sequence string       `json:"sequence_id"`
}

type ntfyAction struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Method string `json:"method,omitempty"`
	Clear  bool   `json:"clear,omitempty"`
}

// Show implements notify.Sender.
func (c *ntfy) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	m := ntfyMessage{
		Topic: c.topic, Title: within(n.Title, 250), Message: within(n.Body, 3000), Click: n.Link,
		Priority: ntfyPriority(n), Tags: ntfyTags(n.Kind), Sequence: sequence(n.Key),
	}
	if m.Message == "" {
		m.Message = m.Title // or ntfy would show "triggered"
	}
	for _, b := range n.Buttons {
		if b.URL != "" {
			m.Actions = append(m.Actions, ntfyAction{Action: "http", Label: b.Label, URL: b.URL, Method: http.MethodPost, Clear: true})
		}
	}
	if n.Link != "" {
		m.Actions = append(m.Actions, ntfyAction{Action: "view", Label: n.Open, URL: n.Link})
	}
	var answer struct {
		Sequence string `json:"sequence_id"`
	}
	if err := do(ctx, c.HTTP, call{http.MethodPost, c.server, c.header, m}, c.Now, &answer); err != nil {
		return "", err
	}
	if answer.Sequence != m.Sequence {
		return "", nil // an older server without sequences: nothing can be removed
	}
	return notify.Handle(m.Sequence), nil
}

// Settle implements notify.Sender.
func (c *ntfy) Settle(ctx context.Context, old notify.Handle, _ notify.Note) error {
	path := c.server + "/" + url.PathEscape(c.topic) + "/" + url.PathEscape(string(old))
	err := do(ctx, c.HTTP, call{http.MethodDelete, path, c.header, nil}, c.Now, nil)
	if gone(err) {
		return nil
	}
	return err
}

// sequence is an id that ntfy accepts and that reveals nothing.
func sequence(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "nod-" + hex.EncodeToString(sum[:10])
}

func ntfyPriority(n notify.Note) int {
	switch {
	case n.Silent:
		return 2
	case n.Urgent():
		return 4
	}
	return 3
}

func ntfyTags(k notify.Kind) []string {
	switch k {
	case notify.Waiting, notify.Several:
		return []string{"raised_hand"}
	case notify.Done, notify.Resumed:
		return []string{"white_check_mark"}
	case notify.Failed, notify.Ended, notify.Trouble:
		return []string{"warning"}
	case notify.Limited:
		return []string{"hourglass"}
	}
	return nil
}
