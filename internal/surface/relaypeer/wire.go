package relaypeer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

const (
	callTime  = 5 * time.Second // for one call, from dialling to the last byte
	mostReply = 64 << 10        // eight requests of the device are about 8 kB
)

// peer is the server of a device.
type peer struct {
	url    string
	key    string
	client *http.Client
}

func newPeer(d Device, t http.RoundTripper) *peer {
	p := &peer{url: d.URL, key: d.Key, client: &http.Client{
		Transport: t, Timeout: callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // requests are for this device only
	}}
	if p.key == "" {
		p.key = DefaultKey
	}
	return p
}

// refusal is an unexpected answer.
type refusal struct {
	status int
	said   string
}

func (r *refusal) Error() string { return fmt.Sprintf("it answered %d %q", r.status, r.said) }

// call makes one request; out is filled from a 200.
func (p *peer) call(ctx context.Context, method, path string, in []byte, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(in))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+p.key)
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostReply))
	switch {
	case err != nil:
		return err
	case answer.StatusCode != http.StatusOK:
		var e struct{ Error string }
		_ = json.Unmarshal(text, &e)
		return &refusal{answer.StatusCode, e.Error}
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &refusal{answer.StatusCode, "no JSON"}
	}
	return nil
}

// health is what a server reports about itself. A device reports only its status;
// another hub has a version.
type health struct {
	Status  string
	OK      bool
	Version string
}

func (p *peer) health(ctx context.Context) (h health, err error) {
	return h, p.call(ctx, "GET", "/health", nil, &h)
}

// create puts a request on the device and returns the device's id for it.
func (p *peer) create(ctx context.Context, body []byte) (string, error) {
	var made struct{ ID string }
	err := p.call(ctx, "POST", "/permission-request", body, &made)
	if err == nil && made.ID == "" {
		err = &refusal{http.StatusOK, "no id"}
	}
	return made.ID, err
}

// outcome is what became of a request. Times are in milliseconds since the device
// booted, or of the wall clock on other servers; only differences are meaningful.
type outcome struct {
	Response    string  `json:"response"`
	RespondedAt float64 `json:"responded_at"`
	Key         string  `json:"send_key"`
}

func (p *peer) outcome(ctx context.Context, id string) (o outcome, err error) {
	return o, p.call(ctx, "GET", "/permission-request/"+url.PathEscape(id)+"/response", nil, &o)
}

func (p *peer) cancel(ctx context.Context, id string) error {
	var ok struct{}
	return p.call(ctx, "POST", "/permission-request/"+url.PathEscape(id)+"/cancel", nil, &ok)
}

// entry is a request in the list of a device.
type entry struct {
	ID      string `json:"id"`
	Choices []struct {
		Number int `json:"number"`
	} `json:"choices"`
	CreatedAt float64 `json:"created_at"`
	Response  string  `json:"response"`
}

func (p *peer) list(ctx context.Context) (list []entry, err error) {
	return list, p.call(ctx, "GET", "/permission-requests", nil, &list)
}

// ours reports whether nod put it there, perhaps before a restart: no prompt of a
// terminal has choices with these numbers.
func (e entry) ours() bool {
	return slices.ContainsFunc(e.Choices, func(c struct {
		Number int `json:"number"`
	}) bool {
		return c.Number >= firstNumber
	})
}

func keyOf(number int) string { return strconv.Itoa(number) }
