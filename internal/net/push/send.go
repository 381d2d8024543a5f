package push

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// sendTime is the time limit for one message.
const sendTime = 10 * time.Second

// maxDetail is how much of a refusal is kept for the log.
const maxDetail = 200

// Outcome is the result of sending a message.
type Outcome uint8

const (
	Delivered Outcome = iota + 1 // the push service accepted it
	Gone                         // the browser has unsubscribed: never try again
	Later                        // temporary: the service is busy or not reachable
	Refused                      // this message will never be accepted
	TooLarge
)

func (o Outcome) String() string {
	return [...]string{"unknown", "delivered", "gone", "later", "refused", "too large"}[o]
}

// Result is the outcome and the push service's answer.
type Result struct {
	Outcome Outcome
	Status  int           // HTTP status; 0: no answer
	After   time.Duration // with Later: the requested waiting time; 0: none given
	Detail  string        // for the log only: untrusted text
}

// Config configures a Sender.
type Config struct {
	Signer    *Signer
	Private   bool              // allow push services on the local network
	Transport http.RoundTripper // nil: the internet
	Now       func() time.Time
}

// Sender delivers messages to push services. It is safe for concurrent use.
type Sender struct {
	signer  *Signer
	private bool
	client  *http.Client
	now     func() time.Time
}

func NewSender(c Config) *Sender {
	if c.Transport == nil {
		c.Transport = transport(c.Private)
	}
	return &Sender{signer: c.Signer, private: c.Private, now: c.Now, client: &http.Client{
		Transport: c.Transport, Timeout: sendTime,
		// Push services do not redirect; following one would lead a message elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (s *Sender) Close() { s.client.CloseIdleConnections() }

// Send tries once.
func (s *Sender) Send(ctx context.Context, to Subscription, m Message) Result {
	if err := to.Check(s.private); err != nil {
		return Result{Outcome: Refused, Detail: err.Error()}
	}
	req, err := s.request(ctx, to, m)
	switch {
	case errors.Is(err, errLarge):
		return Result{Outcome: TooLarge, Detail: err.Error()}
	case err != nil:
		return Result{Outcome: Refused, Detail: err.Error()}
	}
	res, err := s.client.Do(req)
	switch {
	case errors.Is(err, errPrivate):
		return Result{Outcome: Refused, Detail: errPrivate.Error()}
	case err != nil:
		return Result{Outcome: Later, Detail: withoutAddress(err)}
	}
	defer res.Body.Close()
	detail, _ := io.ReadAll(io.LimitReader(res.Body, maxDetail)) // half an explanation is better than none
	out := Result{Outcome: outcomeOf(res.StatusCode), Status: res.StatusCode, Detail: strings.ToValidUTF8(string(detail), "?")}
	switch {
	case out.Outcome == Later:
		out.After = retryAfter(res.Header.Get("Retry-After"), s.now())
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		s.signer.forget(to.Endpoint)
	}
	return out
}

func (s *Sender) request(ctx context.Context, to Subscription, m Message) (*http.Request, error) {
	body, err := seal(to, m.Payload)
	if err != nil {
		return nil, err
	}
	authorization, err := s.signer.authorization(to.Endpoint)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", authorization)
	req.Header.Set("Content-Encoding", "aes128gcm")
	req.Header.Set("Content-Type", "application/octet-stream")
	req.Header.Set("TTL", strconv.FormatInt(int64(max(0, m.TTL)/time.Second), 10))
	req.Header.Set("User-Agent", "nod")
	if m.Urgency != "" {
		req.Header.Set("Urgency", string(m.Urgency))
	}
	if m.Topic != "" {
		req.Header.Set("Topic", m.Topic)
	}
	return req, nil
}

func outcomeOf(status int) Outcome {
	switch {
	case status >= 200 && status < 300:
		return Delivered
	case status == http.StatusNotFound, status == http.StatusGone:
		return Gone
	case status == http.StatusRequestEntityTooLarge:
		return TooLarge
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		return Later
	}
	return Refused
}

// retryAfter parses seconds or a date (RFC 9110, 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(0, seconds), 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// withoutAddress is the cause of a failed connection without the endpoint: anyone who knows the endpoint could write
// to the browser.
func withoutAddress(err error) string {
	if inner := errors.Unwrap(err); inner != nil { // *url.Error contains the whole address
		err = inner
	}
	return err.Error()
}
