package voicebridge

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// A browser's EventSource and <img> cannot send a token. With a ticket in the address
// they may use the credential of whoever got the ticket, for the stream and for
// uploaded files only. It is good for a minute, and for a stream that reconnects as
// long as the stream lasts and a minute longer, up to a day. It ends with the credential.
const (
	ticketLife    = time.Minute
	longestTicket = 24 * time.Hour
)

// mostTickets bounds the memory.
const mostTickets = 1000

// credentialHeaders are what identifies a caller: a token, or the two halves that a
// browser holds.
var credentialHeaders = []string{"Authorization", httpd.KeyHeader, "Cookie"}

type ticket struct {
	headers http.Header
	issued  time.Time
	until   time.Time
	open    int // streams that use it now
}

// tickets are kept in memory only.
type tickets struct {
	mu sync.Mutex
	of map[string]*ticket
}

func (t *tickets) issue(headers http.Header, now time.Time) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[string]*ticket{}
	}
	for name, one := range t.of {
		if one.open == 0 && now.After(one.until) {
			delete(t.of, name)
		}
	}
	if len(t.of) >= mostTickets {
		return "", nod.Errorf(nod.Unavailable, "there are %d open tickets: use one of them, or wait a minute", len(t.of))
	}
	one := &ticket{headers: http.Header{}, issued: now, until: now.Add(ticketLife)}
	for _, name := range credentialHeaders {
		if values := headers.Values(name); len(values) > 0 {
			one.headers[http.CanonicalHeaderKey(name)] = values
		}
	}
	name := strings.ToLower(rand.Text())
	t.of[name] = one
	return name, nil
}

// use finds a ticket; the caller must call done at the end. Only a stream makes it last
// longer: an address in a log would be good for ever.
func (t *tickets) use(name string, stream bool, now func() time.Time) (headers http.Header, done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.of[name]
	if one == nil || one.open == 0 && now().After(one.until) || now().After(one.issued.Add(longestTicket)) {
		return nil, nil, false
	}
	if !stream {
		return one.headers, func() {}, true
	}
	one.open++
	return one.headers, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		one.open--
		one.until = now().Add(ticketLife)
	}, true
}

// Middleware lets a ticket in the address stand for the credential of its owner. What
// the credential allows is decided behind it, as always.
func (s *Surface) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		name := query.Get("ticket")
		if name == "" || r.Method != http.MethodGet || r.URL.Path != streamPath && !strings.HasPrefix(r.URL.Path, uploadPath) {
			next.ServeHTTP(w, r)
			return
		}
		headers, done, ok := s.tickets.use(name, r.URL.Path == streamPath, s.Now)
		if !ok {
			httpd.Handle(s.Log, func(http.ResponseWriter, *http.Request) error {
				return nod.Errorf(nod.Unauthorized, "this ticket is unknown or too old: POST %s makes a new one", ticketPath)
			}).ServeHTTP(w, r)
			return
		}
		defer done()
		query.Del("ticket")
		next.ServeHTTP(w, withTicket(r, headers, query))
	})
}

func withTicket(r *http.Request, headers http.Header, query url.Values) *http.Request {
	r = r.Clone(r.Context())
	r.URL.RawQuery = query.Encode() // it must not get into logs
	for name, values := range headers {
		r.Header[name] = values
	}
	return r
}

func (c *call) ticket() error {
	if err := c.parameters(); err != nil {
		return err
	}
	name, err := c.tickets.issue(c.r.Header, c.Now())
	if err != nil {
		return err
	}
	return c.answerWith(http.StatusCreated, Voice{Status: c.say.Say(words.VoiceTicket)}, map[string]any{"ticket": name, "expires_in": int(ticketLife / time.Second)})
}
