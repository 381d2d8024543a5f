package channel

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"nod/internal/net/notify"
)

// slack posts to a channel: through an incoming webhook, which can only post, or as a bot with a token, which can
// also edit its posts.
type slack struct {
	Outside
	url   string
	token string // empty: a webhook
	chat  string
}

func newSlack(s Settings, o Outside) (*slack, error) {
	usual := ""
	if s.Token != "" {
		if usual = "https://slack.com/api"; s.Chat == "" {
			return nil, missing(s.Kind, "chat, the channel's id, beside its token")
		}
	}
	at, err := address(s, usual)
	if err != nil {
		return nil, err
	}
	return &slack{Outside: o, url: at, token: s.Token.Reveal(), chat: s.Chat}, nil
}

type slackMessage struct {
	Channel string       `json:"channel,omitempty"`
	TS      string       `json:"ts,omitempty"`
	Text    string       `json:"text"`
	Blocks  []slackBlock `json:"blocks,omitempty"`
	Unfurl  bool         `json:"unfurl_links"`
	Media   bool         `json:"unfurl_media"`
}

type slackBlock struct {
	Type string    `json:"type"`
	Text slackText `json:"text"`
}

// slackText: agents' text is plain_text, which has no markup.
type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (c *slack) text(n notify.Note) slackMessage {
	m := slackMessage{Channel: c.chat, Text: slackEscape(within(n.Title, 300))}
	m.Blocks = append(m.Blocks, slackBlock{"header", slackText{"plain_text", within(n.Title, 150)}})
	if n.Body != "" {
		m.Blocks = append(m.Blocks, slackBlock{"section", slackText{"plain_text", within(n.Body, 2900)}})
	}
	var links []string
	for _, b := range n.Buttons {
		if b.URL != "" {
			links = append(links, "<"+b.URL+"|"+slackEscape(b.Label)+">")
		}
	}
	if n.Link != "" {
		links = append(links, "<"+n.Link+"|"+slackEscape(n.Open)+">")
	}
	if len(links) > 0 {
		m.Blocks = append(m.Blocks, slackBlock{"section", slackText{"mrkdwn", strings.Join(links, "  ·  ")}})
	}
	return m
}

func slackEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// Show implements notify.Sender.
func (c *slack) Show(ctx context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	m := c.text(n)
	if c.token == "" {
		return "", do(ctx, c.HTTP, call{http.MethodPost, c.url, nil, m}, c.Now, nil)
	}
	if n.Silent && old != "" {
		m.Channel, m.TS = place(old)
		_, err := c.method(ctx, "chat.update", m)
		return old, err
	}
	handle, err := c.method(ctx, "chat.postMessage", m)
	if err == nil && old != "" {
		channel, ts := place(old)
		_, _ = c.method(ctx, "chat.delete", map[string]string{"channel": channel, "ts": ts}) // the new one is there
	}
	return handle, err
}

// Settle implements notify.Sender.
func (c *slack) Settle(ctx context.Context, old notify.Handle, n notify.Note) error {
	n.Link = ""
	m := c.text(n)
	m.Channel, m.TS = place(old)
	_, err := c.method(ctx, "chat.update", m)
	if err != nil && slices.Contains([]string{"message_not_found", "cant_update_message", "edit_window_closed"}, notify.FailureOf(err).Detail) {
		return nil // nothing to change
	}
	return err
}

// place splits a handle into a channel and the timestamp that identifies a message in it.
func place(h notify.Handle) (channel, ts string) {
	channel, ts, _ = strings.Cut(string(h), " ")
	return channel, ts
}

// method calls a Web API method, which reports errors with status 200.
func (c *slack) method(ctx context.Context, name string, in any) (notify.Handle, error) {
	var answer struct {
		OK      bool   `json:"ok"`
		Error   string `json:"error"`
		Channel string `json:"channel"`
		TS      string `json:"ts"`
	}
	header := bearer(c.token)
	header.Set("Content-Type", "application/json; charset=utf-8")
	if err := do(ctx, c.HTTP, call{http.MethodPost, c.url + "/" + name, header, in}, c.Now, &answer); err != nil {
		return "", err
	}
	if answer.OK {
		return notify.Handle(answer.Channel + " " + answer.TS), nil
	}
	f := &notify.Failure{Outcome: notify.Refused, Status: http.StatusOK, Detail: within(answer.Error, maxDetail)}
	switch {
	case slices.Contains([]string{"ratelimited", "fatal_error", "internal_error", "service_unavailable", "request_timeout"}, answer.Error):
		f.Outcome = notify.Later
	case slices.Contains([]string{"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "channel_not_found", "not_in_channel", "is_archived", "missing_scope"}, answer.Error):
		f.Outcome = notify.Broken
	}
	return "", f
}
