package channel

import (
	"context"
	"net/http"
	"strconv"

	"nod/internal/net/notify"
)

// gotify sends as an application. Removing a message needs a client token, which may do more; without one messages
// stay.
type gotify struct {
	Outside
	url, token, clear string
}

func newGotify(s Settings, o Outside) (*gotify, error) {
	at, err := address(s, "")
	if err != nil {
		return nil, err
	}
	if s.Token == "" {
		return nil, missing(s.Kind, "token_file, with the token of an application")
	}
	return &gotify{o, at, s.Token.Reveal(), s.Clear.Reveal()}, nil
}

// Show implements notify.Sender.
func (c *gotify) Show(ctx context.Context, n notify.Note, old notify.Handle) (notify.Handle, error) {
	body := plainMarkdown(n.Body)
	for _, b := range n.Buttons {
		if b.URL != "" {
			body += "\n\n[" + b.Label + "](" + b.URL + ")"
		}
	}
	if body == "" {
		body = plainMarkdown(n.Title)
	}
	extras := map[string]any{"client::display": map[string]string{"contentType": "text/markdown"}}
	if n.Link != "" {
		extras["client::notification"] = map[string]any{"click": map[string]string{"url": n.Link}}
	}
	priority := 5
	switch {
	case n.Silent:
		priority = 1
	case n.Urgent():
		priority = 8
	}
	var sent struct {
		ID int64 `json:"id"`
	}
	err := do(ctx, c.HTTP, call{http.MethodPost, c.url + "/message", key(c.token), map[string]any{
		"title": n.Title, "message": body, "priority": priority, "extras": extras,
	}}, c.Now, &sent)
	if err != nil || c.clear == "" {
		return "", err
	}
	if old != "" {
		_ = c.remove(ctx, old) // the new one is there
	}
	return notify.Handle(strconv.FormatInt(sent.ID, 10)), nil
}

// Settle implements notify.Sender.
func (c *gotify) Settle(ctx context.Context, old notify.Handle, _ notify.Note) error {
	if c.clear == "" {
		return nil
	}
	err := c.remove(ctx, old)
	if gone(err) {
		return nil
	}
	return err
}

func (c *gotify) remove(ctx context.Context, old notify.Handle) error {
	return do(ctx, c.HTTP, call{http.MethodDelete, c.url + "/message/" + string(old), key(c.clear), nil}, c.Now, nil)
}

func key(token string) http.Header { return http.Header{"X-Gotify-Key": {token}} }
