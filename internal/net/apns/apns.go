// Package apns delivers notifications to Apple devices: HTTP/2 to Apple's push service, signed with a key from Apple.
// What a notification says is its caller's business.
package apns

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Apple's endpoints.
const (
	production  = "https://api.push.apple.com"
	sandbox     = "https://api.sandbox.push.apple.com"
	sendTime    = 15 * time.Second
	idleTime    = 120 * time.Second
	maxAnswer   = 4 << 10
	maxPayload  = 4096
	maxCollapse = 64
)

// Config holds the credentials from Apple and the app they are for.
type Config struct {
	Key        []byte // contents of the .p8 file
	KeyID      string
	TeamID     string
	Bundle     string // bundle id of the app
	Production bool   // false: Apple's sandbox, for apps in development
	URL        string // another endpoint; for tests
	TLS        *tls.Config
	Now        func() time.Time // nil: time.Now
}

// Device is one app on one device.
type Device struct {
	Token string // hexadecimal, as the app registered it
	Watch bool   // the watch app of the bundle
}

// Push is one notification.
type Push struct {
	Background bool      // no alert: it only wakes the app
	Collapse   string    // a newer notification with the same id replaces the older one
	Expires    time.Time // zero: Apple decides how long to retry
	Payload    any
}

// Outcome is the result of sending a notification.
type Outcome uint8

const (
	Delivered Outcome = iota + 1 // Apple accepted it
	Gone                         // the token belongs to no device: never use it again
	Later                        // temporary: busy, or not reachable
	Refused                      // permanent: Apple rejects this notification, or us
)

func (o Outcome) String() string {
	return [...]string{"unknown", "delivered", "gone", "later", "refused"}[o]
}

// Result is the outcome and Apple's answer.
type Result struct {
	Outcome Outcome
	Status  int    // HTTP status; 0: no answer
	Reason  string // Apple's code, such as BadDeviceToken
}

// Sender is safe for concurrent use.
type Sender struct {
	url, bundle string
	signer      *signer
	tls         *tls.Config
	now         func() time.Time

	mu   sync.Mutex
	http *http.Client
}

// New makes a sender; it does not check with Apple whether the key is valid.
func New(c Config) (*Sender, error) {
	if c.KeyID == "" || c.TeamID == "" || c.Bundle == "" {
		return nil, errors.New("notifications for Apple's devices need key id, team id and bundle id")
	}
	key, err := parseKey(c.Key)
	if err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.URL == "" {
		if c.URL = sandbox; c.Production {
			c.URL = production
		}
	}
	s := &Sender{url: c.URL, bundle: c.Bundle, tls: c.TLS, now: c.Now, signer: &signer{key: key, kid: c.KeyID, team: c.TeamID, now: c.Now}}
	s.http = s.fresh()
	return s, nil
}

func (s *Sender) fresh() *http.Client {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.tls != nil {
		config = s.tls.Clone()
	}
	return &http.Client{
		Timeout: sendTime,
		Transport: &http.Transport{
			TLSClientConfig: config, ForceAttemptHTTP2: true, IdleConnTimeout: idleTime,
			Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: 16 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (s *Sender) Close() { s.client().CloseIdleConnections() }

func (s *Sender) client() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.http
}

// renew discards a failed connection, unless another goroutine already has.
func (s *Sender) renew(broken *http.Client) *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.http == broken {
		s.http = s.fresh()
		broken.CloseIdleConnections()
	}
	return s.http
}

// Send tries once, and if the connection broke, once more on a new one. Apple closes idle connections silently, so
// the first try after a while often fails.
func (s *Sender) Send(ctx context.Context, to Device, p Push) Result {
	body, err := json.Marshal(p.Payload)
	switch {
	case err != nil:
		return Result{Outcome: Refused, Reason: err.Error()}
	case len(body) > maxPayload:
		return Result{Outcome: Refused, Reason: "PayloadTooLarge"}
	case !isToken(to.Token):
		return Result{Outcome: Gone, Reason: "BadDeviceToken"}
	}
	client := s.client()
	result, err := s.try(ctx, client, to, p, body)
	if err != nil && ctx.Err() == nil {
		result, err = s.try(ctx, s.renew(client), to, p, body)
	}
	if err != nil {
		return Result{Outcome: Later, Reason: err.Error()}
	}
	if result.Reason == "ExpiredProviderToken" { // our clock is behind Apple's
		s.signer.forget()
		if again, err := s.try(ctx, s.client(), to, p, body); err == nil {
			return again
		}
	}
	return result
}

// isToken checks the token's characters, because it becomes part of the URL's path.
func isToken(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && s != "" && len(s) <= 200
}

func (s *Sender) try(ctx context.Context, client *http.Client, to Device, p Push, body []byte) (Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/3/device/"+strings.ToLower(to.Token), bytes.NewReader(body))
	if err != nil {
		return Result{}, err
	}
	token, err := s.signer.token()
	if err != nil {
		return Result{}, err
	}
	s.head(req.Header, to, p, token)
	res, err := client.Do(req)
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil { // the URL contains the device's token
			err = inner
		}
		return Result{}, err
	}
	defer res.Body.Close()
	var said struct {
		Reason string `json:"reason"`
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return Result{}, fmt.Errorf("half an answer: %w", err)
	}
	_ = json.Unmarshal(text, &said) // a success has no body, and a reason is only for the log
	return Result{Outcome: outcomeOf(res.StatusCode, said.Reason), Status: res.StatusCode, Reason: said.Reason}, nil
}

func (s *Sender) head(h http.Header, to Device, p Push, token string) {
	topic, kind, priority := s.bundle, "alert", "10"
	if to.Watch {
		topic += ".watchkitapp"
	}
	if p.Background {
		kind, priority = "background", "5"
	}
	h.Set("Authorization", "bearer "+token)
	h.Set("Content-Type", "application/json")
	h.Set("Apns-Topic", topic)
	h.Set("Apns-Push-Type", kind)
	h.Set("Apns-Priority", priority)
	if p.Collapse != "" {
		h.Set("Apns-Collapse-Id", collapse(p.Collapse))
	}
	if !p.Expires.IsZero() {
		h.Set("Apns-Expiration", strconv.FormatInt(p.Expires.Unix(), 10))
	}
}

// collapse makes an id that fits into a header and Apple's limit.
func collapse(id string) string {
	plain := strings.IndexFunc(id, func(r rune) bool { return r < '!' || r > '~' }) < 0
	if plain && len(id) <= maxCollapse {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

func outcomeOf(status int, reason string) Outcome {
	switch {
	case status == http.StatusOK:
		return Delivered
	case status == http.StatusGone, status == http.StatusBadRequest && reason == "BadDeviceToken":
		return Gone
	case status == http.StatusTooManyRequests, status >= 500:
		return Later
	}
	return Refused
}
