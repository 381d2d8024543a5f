package channel

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"nod"
	"nod/internal/net/notify"
)

// discord is a webhook of a Discord channel; it can edit and delete its own posts.
type discord struct {
	Outside
	hook *url.URL
}

func newDiscord(s Settings, o Outside) (*discord, error) {
	text, err := address(s, "")
	if err != nil {
		return nil, err
	}
	hook, err := url.Parse(text)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "the url of a channel of kind discord is no address")
	}
	return &discord{o, hook}, nil
}

type discordMessage struct {
	Embeds   []discordEmbed `json:"embeds"`
	Mentions struct {
		Parse []string `json:"parse"`
	} `json:"allowed_mentions"`
	Flags int `json:"flags,omitempty"`
}

type discordEmbed struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
	Color       int    `json:"color"`
}

// quietly is Discord's flag for a message without a sound.
const quietly = 1 << 12

func discordText(n notify.Note) discordMessage {
	var m discordMessage
	m.Mentions.Parse = []string{} // an agent's text must not mention anyone
	if n.Silent {
		m.Flags = quietly
	}
	body := plainMarkdown(within(n.Body, 1800))
	var links []string
	for _, b := range n.Buttons {
		if b.URL != "" {
			links = append(links, "["+b.Label+"]("+b.URL+")")
		}
	}
	if n.Link != "" {
		links = append(links, "["+n.Open+"]("+n.Link+")")
	}
	if len(links) > 0 {
		body = strings.TrimPrefix(body+"\n\n"+strings.Join(links, " · "), "\n\n")
	}
	m.Embeds = []discordEmbed{{Title: plainMarkdown(within(n.Title, 200)), Description: body, URL: n.Link, Color: colour(n.Kind)}}
	return m
}

// Show implements notify.Sender.
func (c *discord) Show(ctx context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	if n.Silent && old != "" {
		err := do(ctx, c.HTTP, call{http.MethodPatch, c.at(old), nil, discordText(n)}, c.Now, nil)
		if err == nil || !gone(err) {
			return old, err
		}
	}
	var sent struct {
		ID string `json:"id"`
	}
	if err := do(ctx, c.HTTP, call{http.MethodPost, c.at(""), nil, discordText(n)}, c.Now, &sent); err != nil {
		return "", err
	}
	if old != "" {
		_ = do(ctx, c.HTTP, call{http.MethodDelete, c.at(old), nil, nil}, c.Now, nil) // the new one is there; an extra old one does no harm
	}
	return notify.Handle(sent.ID), nil
}

// Settle implements notify.Sender.
func (c *discord) Settle(ctx context.Context, old notify.Handle, n notify.Note) error {
	n.Link = ""
	err := do(ctx, c.HTTP, call{http.MethodPatch, c.at(old), nil, discordText(n)}, c.Now, nil)
	if gone(err) {
		return nil
	}
	return err
}

// at is the URL of a message, or the one for new messages. Discord returns the id only with wait=true.
func (c *discord) at(message notify.Handle) string {
	u := *c.hook
	if message != "" {
		u.Path += "/messages/" + string(message)
		return u.String()
	}
	q := u.Query()
	q.Set("wait", "true")
	u.RawQuery = q.Encode()
	return u.String()
}

func colour(k notify.Kind) int {
	switch k {
	case notify.Waiting, notify.Several:
		return 0xC2570C
	case notify.Failed, notify.Ended, notify.Trouble:
		return 0xB91C1C
	case notify.Done, notify.Resumed:
		return 0x15803D
	case notify.Limited:
		return 0x6D28D9
	}
	return 0x8A8A8A
}

// plainMarkdown escapes all markup: an agent must not write a link that reads "Allow".
func plainMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~:@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
