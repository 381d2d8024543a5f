package channel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"nod/internal/net/notify"
)

const (
	maxAnswer = 64 << 10
	maxDetail = 200
)

// NewClient makes the HTTP client of the senders. It follows no redirects: they would take a note, and the token with
// it, elsewhere.
func NewClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 16 << 10
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// call is one JSON request to a channel.
type call struct {
	method, url string
	header      http.Header
	body        any // nil: none; []byte: as it is; else JSON
}

// do makes a call and decodes the answer into out, which may be nil. Every error is a *notify.Failure.
func do(ctx context.Context, client *http.Client, c call, now func() time.Time, out any) error {
	req, err := c.request(ctx)
	if err != nil {
		return &notify.Failure{Outcome: notify.Refused, Detail: withoutAddress(err)}
	}
	res, err := client.Do(req)
	if err != nil {
		return &notify.Failure{Outcome: notify.Later, Detail: withoutAddress(err)}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return &notify.Failure{Outcome: notify.Later, Status: res.StatusCode, Detail: withoutAddress(err)}
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return &notify.Failure{
			Outcome: outcomeOf(res.StatusCode), Status: res.StatusCode, Detail: cut(text),
			After: retryAfter(res.Header.Get("Retry-After"), now()),
		}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &notify.Failure{Outcome: notify.Refused, Status: res.StatusCode, Detail: "the answer is not what this kind of channel says: " + cut(text)}
	}
	return nil
}

func (c call) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	switch b := c.body.(type) {
	case nil:
	case []byte:
		body = bytes.NewReader(b)
	default:
		text, err := encode(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, c.method, c.url, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "nod")
	return req, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

func bearer(token string) http.Header {
	if token == "" {
		return nil
	}
	return http.Header{"Authorization": {"Bearer " + token}}
}

func outcomeOf(status int) notify.Outcome {
	switch {
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		return notify.Later
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusGone:
		return notify.Broken
	}
	return notify.Refused
}

// retryAfter parses seconds, also with a fraction, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if s, err := strconv.ParseFloat(header, 64); err == nil && s >= 0 && s < 1<<30 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// gone reports whether the message to change no longer exists.
func gone(err error) bool {
	var f *notify.Failure
	return errors.As(err, &f) && (f.Status == http.StatusNotFound || f.Status == http.StatusGone)
}

func cut(text []byte) string {
	return strings.ToValidUTF8(string(text[:min(len(text), maxDetail)]), "?")
}

// withoutAddress is the cause of a failed call without its URL: a *url.Error contains the whole address, where many
// channels have their token.
func withoutAddress(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return err.Error()
}

// within truncates a text to so many characters.
func within(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
