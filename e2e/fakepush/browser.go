package fakepush

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
)

// Message is something that was sent to a browser.
type Message struct {
	Status  int    // what the sender was answered
	Payload []byte // decrypted; nil when it could not be
	Topic   string
	Urgency string
	TTL     int // seconds
	Size    int // of the encrypted body
	Sender  Sender
}

// Browser is one fake browser with one subscription.
type Browser struct {
	Endpoint string

	service *Service
	id      string
	key     *ecdh.PrivateKey
	secret  []byte

	// all under service.mu
	sender   string        // the only key that may send; "": any
	answers  []answer      // what comes next, instead of 201
	hold     chan struct{} // closed when messages may come in; nil: now
	offline  bool
	stored   []Message // for when it is online again
	received []Message
	attempts []Message
}

type answer struct {
	status int
	header http.Header
	body   string
}

// Subscribe makes a browser that accepts messages of one sender alone, given by
// its applicationServerKey; "" accepts all.
func (s *Service) Subscribe(applicationServerKey string) *Browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // no randomness, no tests
	}
	b := &Browser{service: s, id: rand.Text(), key: key, secret: []byte(rand.Text())[:16], sender: applicationServerKey}
	b.Endpoint = s.base + "/push/" + b.id
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[b.id] = b
	return b
}

// JSON is the subscription as a page has it: PushSubscription.toJSON().
func (b *Browser) JSON() string {
	text, err := json.Marshal(map[string]any{
		"endpoint": b.Endpoint, "expirationTime": nil,
		"keys": map[string]string{
			"p256dh": base64.RawURLEncoding.EncodeToString(b.PublicKey()),
			"auth":   base64.RawURLEncoding.EncodeToString(b.secret),
		},
	})
	if err != nil {
		panic(err) // strings only
	}
	return string(text)
}

// PublicKey is p256dh.
func (b *Browser) PublicKey() []byte { return b.key.PublicKey().Bytes() }

// Secret is auth.
func (b *Browser) Secret() []byte { return slices.Clone(b.secret) }

// Answer makes the next message be answered with a status and headers ("Name",
// "value", …) instead of being taken. Calls queue up.
func (b *Browser) Answer(status int, body string, headers ...string) {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.answers = append(b.answers, answer{status, h, body})
}

// Unsubscribe answers 410 from now on.
func (b *Browser) Unsubscribe() {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.answers = []answer{{status: http.StatusGone, body: "unsubscribed"}}
	b.sender = ""
}

// Hold makes the service slow: messages hang until release is called, or their
// sender gives up.
func (b *Browser) Hold() (release func()) {
	gate := make(chan struct{})
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.hold = gate
	return func() {
		b.service.mu.Lock()
		defer b.service.mu.Unlock()
		if b.hold == gate {
			b.hold = nil
			close(gate)
		}
	}
}

// Sleep lets the service keep messages; of one topic only the newest.
func (b *Browser) Sleep() {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.offline = true
}

// Wake delivers what was kept. Time does not pass here: a TTL of 0 alone means
// that nothing is kept.
func (b *Browser) Wake() {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.offline = false
	b.received = append(b.received, b.stored...)
	b.stored = nil
	b.announce()
}

// Received is what the browser got, oldest first.
func (b *Browser) Received() []Message {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	return slices.Clone(b.received)
}

// Attempts is everything that was sent to it, also what was refused.
func (b *Browser) Attempts() []Message {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	return slices.Clone(b.attempts)
}

// Wait returns what the browser got once that is at least n messages, or what
// there is when ctx ends.
func (b *Browser) Wait(ctx context.Context, n int) ([]Message, error) {
	for {
		b.service.mu.Lock()
		got, changed := slices.Clone(b.received), b.service.changed
		b.service.mu.Unlock()
		if len(got) >= n {
			return got, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return got, ctx.Err()
		}
	}
}

// wait holds a message back; false when its sender has given up.
func (b *Browser) wait(ctx context.Context) bool {
	b.service.mu.Lock()
	gate := b.hold
	b.service.mu.Unlock()
	if gate == nil {
		return true
	}
	select {
	case <-gate:
		return true
	case <-ctx.Done():
		return false
	}
}

func (b *Browser) boundTo() string {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	return b.sender
}

// scripted is the next answer; one of 404 or 410 stays.
func (b *Browser) scripted(h http.Header) (int, string) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	if len(b.answers) == 0 {
		return http.StatusCreated, ""
	}
	next := b.answers[0]
	if next.status != http.StatusGone && next.status != http.StatusNotFound {
		b.answers = b.answers[1:]
	}
	for name, values := range next.header {
		h[name] = values
	}
	return next.status, next.body
}

func (b *Browser) take(m Message) {
	b.service.mu.Lock()
	defer b.service.mu.Unlock()
	b.attempts = append(b.attempts, m)
	switch {
	case m.Status < 200 || m.Status > 299:
	case !b.offline:
		b.received = append(b.received, m)
	default:
		if m.Topic != "" {
			b.stored = slices.DeleteFunc(b.stored, func(old Message) bool { return old.Topic == m.Topic })
		}
		if m.TTL > 0 {
			b.stored = append(b.stored, m)
		}
	}
	b.announce()
}

func (b *Browser) announce() {
	close(b.service.changed)
	b.service.changed = make(chan struct{})
}
