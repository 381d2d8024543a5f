package channel

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"

	"nod"
	"nod/internal/net/notify"
)

// webhook posts signed notes as JSON.
type webhook struct {
	Outside
	url    string
	secret []byte
}

func newWebhook(s Settings, o Outside) (*webhook, error) {
	at, err := address(s, "")
	if err != nil {
		return nil, err
	}
	return &webhook{o, at, []byte(s.Secret.Reveal())}, nil
}

// Posted is the body of a webhook call. A note replaces the previous one of the same key; type settled ends it.
type Posted struct {
	Version int            `json:"version"` // 1
	Type    string         `json:"type"`    // note or settled
	Key     string         `json:"key"`
	ID      string         `json:"id,omitempty"` // stays the same when the same note is sent again
	Kind    notify.Kind    `json:"kind"`
	Title   string         `json:"title"`
	Body    string         `json:"body,omitempty"`
	Link    string         `json:"link,omitempty"`
	Lang    string         `json:"lang"`
	At      time.Time      `json:"at"`
	Until   *time.Time     `json:"until,omitempty"`
	Agent   *PostedAgent   `json:"agent,omitempty"`
	Request nod.RequestID  `json:"request,omitempty"`
	Risk    string         `json:"risk,omitempty"`
	Silent  bool           `json:"silent,omitempty"`
	Buttons []PostedButton `json:"buttons,omitempty"`
}

// PostedAgent is the agent that the note is about.
type PostedAgent struct {
	ID   nod.AgentID `json:"id"`
	Name string      `json:"name,omitempty"`
	Host string      `json:"host,omitempty"`
}

// PostedButton answers the request when its URL is POSTed to, once.
type PostedButton struct {
	Label   string      `json:"label"`
	Verdict nod.Verdict `json:"verdict"`
	URL     string      `json:"url"`
}

// SignatureHeader carries "t=UNIX,v1=HEX": the HMAC-SHA256, with the secret, of
// the time, a dot and the body.
const SignatureHeader = "Nod-Signature"

// Sign is the value of SignatureHeader.
func Sign(secret, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// Show implements notify.Sender.
func (c *webhook) Show(ctx context.Context, n notify.Note, _ notify.Handle) (notify.Handle, error) {
	return notify.Handle(n.Key), c.post(ctx, "note", n)
}

// Settle implements notify.Sender.
func (c *webhook) Settle(ctx context.Context, _ notify.Handle, n notify.Note) error {
	return c.post(ctx, "settled", n)
}

func (c *webhook) post(ctx context.Context, kind string, n notify.Note) error {
	p := Posted{
		Version: 1, Type: kind, Key: n.Key, Kind: n.Kind, Title: n.Title, Body: n.Body, Link: n.Link, Lang: n.Lang,
		At: n.At.UTC(), Until: n.Until, Request: n.Request, Risk: n.Risk, Silent: n.Silent,
	}
	if n.ID != "" {
		p.ID = sequence(n.ID)
	}
	if n.Agent.ID != "" {
		p.Agent = &PostedAgent{n.Agent.ID, nod.OneLine(n.Agent.Name), nod.OneLine(n.Agent.Host)}
	}
	for _, b := range n.Buttons {
		if b.URL != "" {
			p.Buttons = append(p.Buttons, PostedButton{b.Label, b.Verdict, b.URL})
		}
	}
	body, err := encode(p)
	if err != nil {
		return &notify.Failure{Outcome: notify.Refused, Detail: err.Error()}
	}
	var header http.Header
	if len(c.secret) > 0 {
		header = http.Header{SignatureHeader: {Sign(c.secret, body, c.Now())}}
	}
	return do(ctx, c.HTTP, call{http.MethodPost, c.url, header, body}, c.Now, nil)
}
