package openai

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// completion is an answer, or a piece of one.
type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index   int     `json:"index"`
	Message *answer `json:"message,omitempty"`
	Delta   *delta  `json:"delta,omitempty"`
	Logs    *string `json:"logprobs"` // always null
	Finish  *string `json:"finish_reason"`
}

type answer struct {
	Role    string  `json:"role"`
	Content string  `json:"content"`
	Refusal *string `json:"refusal"`
}

type delta struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content,omitempty"`
}

// usage is estimated from the length of the text: an assistant reads and writes more than
// that.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func tokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

func used(chat talk.Chat, answer string) *usage {
	u := &usage{Prompt: tokens(chat.System) + tokens(chat.Text), Completion: tokens(answer)}
	for _, l := range chat.Before {
		u.Prompt += tokens(l.Text)
	}
	u.Total = u.Prompt + u.Completion
	return u
}

func (c *call) complete() error {
	var q asked
	if err := c.read(&q); err != nil {
		return err
	}
	a, err := c.assistant(q.Model)
	if err != nil {
		return err
	}
	chat, err := q.conversation()
	if err != nil {
		return err
	}
	chat.Assistant, chat.Via, chat.By = a, via, c.by
	shape := completion{ID: "chatcmpl-" + strings.ToLower(rand.Text()), Created: c.began.Unix(), Model: q.Model}
	if q.Stream {
		return c.streamed(q, chat, shape)
	}
	reply, err := c.Chats.Answer(c.r.Context(), c.desk, chat, nil)
	if err != nil {
		return err
	}
	if reply.Trouble != "" {
		return &troubled{reply.Trouble, reply.Text}
	}
	stop := "stop"
	shape.Object = "chat.completion"
	shape.Choices = []choice{{Message: &answer{Role: "assistant", Content: reply.Text}, Finish: &stop}}
	shape.Usage = used(chat, reply.Text)
	return httpd.JSON(c.w, http.StatusOK, shape)
}

// ended is how an answer ended.
type ended struct {
	reply talk.Reply
	err   error
}

// streamed sends the answer as it is written.
func (c *call) streamed(q asked, chat talk.Chat, shape completion) error {
	shape.Object = "chat.completion.chunk"
	pieces, done := make(chan string), make(chan ended, 1)
	ctx := c.r.Context()
	go func() {
		reply, err := c.Chats.Answer(ctx, c.desk, chat, func(text string) {
			select {
			case pieces <- text:
			case <-ctx.Done():
			}
		})
		done <- ended{reply, err}
	}()
	quiet := time.NewTicker(heartbeat)
	defer quiet.Stop()
	delivered := false
	for {
		select {
		case text := <-pieces:
			c.piece(shape, text, !delivered)
			delivered = true
			quiet.Reset(heartbeat)
		case <-quiet.C:
			c.stream.beat()
		case end := <-done:
			return c.finish(q, chat, shape, end, !delivered)
		}
	}
}

// piece sends a part of the answer; the first one also has the role.
func (c *call) piece(shape completion, text string, first bool) {
	if first {
		shape.Choices = []choice{{Delta: &delta{Role: "assistant"}}}
		c.stream.send(shape)
	}
	if text != "" {
		shape.Choices = []choice{{Delta: &delta{Content: text}}}
		c.stream.send(shape)
	}
}

func (c *call) finish(q asked, chat talk.Chat, shape completion, end ended, empty bool) error {
	switch {
	case end.err != nil:
		return end.err
	case end.reply.Trouble != "":
		return &troubled{end.reply.Trouble, end.reply.Text}
	}
	if empty {
		c.piece(shape, "", true)
	}
	stop := "stop"
	shape.Choices = []choice{{Delta: &delta{}, Finish: &stop}}
	c.stream.send(shape)
	if q.Options != nil && q.Options.Usage {
		shape.Choices, shape.Usage = []choice{}, used(chat, end.reply.Text)
		c.stream.send(shape)
	}
	c.stream.end()
	return nil
}
