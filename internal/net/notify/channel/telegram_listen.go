package channel

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"nod/internal/net/notify"
	"nod/internal/sys/pause"
)

const (
	// longPoll is how long Telegram holds a poll for button presses.
	longPoll  = 50 * time.Second
	pollGrace = 15 * time.Second
	// Back-off after a failed poll.
	firstPoll   = time.Second
	longestPoll = time.Minute
)

// post sends one call; unlike on other channels the body counts whatever the status is.
func (c *telegram) post(ctx context.Context, name string, body []byte, out any) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+name, bytes.NewReader(body))
	if err != nil {
		return 0, &notify.Failure{Outcome: notify.Refused, Detail: "the address is none"}
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.HTTP.Do(req)
	if err != nil {
		return 0, &notify.Failure{Outcome: notify.Later, Detail: withoutAddress(err)}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil { // not from Telegram: something in between answered
		outcome := notify.Later
		if res.StatusCode == http.StatusNotFound {
			outcome = notify.Broken
		}
		return 0, &notify.Failure{Outcome: outcome, Status: res.StatusCode, Detail: cut(text)}
	}
	return res.StatusCode, nil
}

type telegramUpdate struct {
	ID    int64 `json:"update_id"`
	Press *struct {
		ID   string `json:"id"`
		From struct {
			ID int64 `json:"id"`
		} `json:"from"`
		Message struct {
			Chat struct {
				ID int64 `json:"id"`
			} `json:"chat"`
		} `json:"message"`
		Data string `json:"data"`
	} `json:"callback_query"`
}

// Listen implements notify.Listener. It accepts only presses in the configured chat, by people who may answer.
func (c *telegram) Listen(ctx context.Context, press func(context.Context, string) string) {
	var next int64
	wait := firstPoll
	for ctx.Err() == nil {
		updates, err := c.updates(ctx, next)
		if err != nil {
			f := notify.FailureOf(err)
			pause.For(ctx, max(wait, min(f.After, longestPoll)))
			wait = min(2*wait, longestPoll)
			continue
		}
		wait = firstPoll
		for _, u := range updates {
			next = max(next, u.ID+1)
			if u.Press == nil {
				continue
			}
			text := ""
			if u.Press.Message.Chat.ID == c.chat && slices.Contains(c.users, u.Press.From.ID) {
				text = press(ctx, u.Press.Data)
			}
			// Without this answer the button keeps spinning; nothing else is lost.
			_ = c.method(ctx, "answerCallbackQuery", map[string]string{"callback_query_id": u.Press.ID, "text": within(text, 190)}, nil)
		}
	}
}

func (c *telegram) updates(ctx context.Context, next int64) (list []telegramUpdate, err error) {
	ctx, cancel := context.WithTimeout(ctx, longPoll+pollGrace)
	defer cancel()
	err = c.method(ctx, "getUpdates", map[string]any{
		"offset": next, "timeout": int(longPoll / time.Second), "allowed_updates": []string{"callback_query"},
	}, &list)
	return list, err
}
