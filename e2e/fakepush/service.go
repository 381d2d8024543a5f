// Package fakepush is the far end of Web Push in tests: a push service (RFC 8030)
// with fake browsers behind it. It reads what it gets with code of its own,
// so that it would notice a mistake in nod's.
package fakepush

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// maxBody is what a push service must accept, and this one no more.
const maxBody = 4096

// Service is a push service. It is an http.Handler, and an http.RoundTripper
// for tests without a network, such as those in a synctest bubble.
type Service struct {
	base   string
	server *httptest.Server // nil without a network

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced whenever something came
	browsers map[string]*Browser
}

// New is a service without a network: use it as an http.RoundTripper.
func New() *Service {
	return &Service{base: "https://push.example", changed: make(chan struct{}), browsers: map[string]*Browser{}}
}

// Start is a service on a free port of this machine, over plain HTTP.
func Start() *Service {
	s := New()
	s.server = httptest.NewServer(s)
	s.base = s.server.URL
	return s
}

// URL is where the service is.
func (s *Service) URL() string { return s.base }

// Close also ends messages that are held back.
func (s *Service) Close() {
	if s.server != nil {
		s.server.CloseClientConnections()
		s.server.Close()
	}
}

// RoundTrip answers in the same process.
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.Host = r.URL.Host
	s.ServeHTTP(w, in)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	res := w.Result()
	res.Request = r
	return res, nil
}

// ServeHTTP takes one message.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	b := s.browsers[strings.TrimPrefix(r.URL.Path, "/push/")]
	s.mu.Unlock()
	if b == nil {
		http.Error(w, "no such subscription", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return
	}
	if !b.wait(r.Context()) {
		return
	}
	m, status, why := s.judge(b, r, body)
	if status == http.StatusCreated {
		status, why = b.scripted(w.Header())
	}
	m.Status = status
	b.take(m)
	if status == http.StatusCreated {
		w.Header().Set("Location", s.base+"/message/"+strconv.Itoa(len(b.Attempts())))
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, why)
}

// judge refuses what a real service would refuse, and decrypts the rest.
func (s *Service) judge(b *Browser, r *http.Request, body []byte) (m Message, status int, why string) {
	m = Message{Topic: r.Header.Get("Topic"), Urgency: r.Header.Get("Urgency"), Size: len(body)}
	var err error
	m.TTL, err = strconv.Atoi(r.Header.Get("TTL"))
	switch {
	case r.Method != http.MethodPost:
		return m, http.StatusMethodNotAllowed, "POST only"
	case err != nil || m.TTL < 0:
		return m, http.StatusBadRequest, "TTL is missing"
	case len(body) > maxBody:
		return m, http.StatusRequestEntityTooLarge, "too large"
	case r.Header.Get("Content-Encoding") != "aes128gcm":
		return m, http.StatusBadRequest, "Content-Encoding must be aes128gcm"
	case len(m.Topic) > 32 || strings.Trim(m.Topic, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "":
		return m, http.StatusBadRequest, "bad topic"
	}
	if m.Sender, err = readAuthorization(r.Header.Get("Authorization"), s.base); err != nil {
		return m, http.StatusForbidden, `{"reason":"BadJwtToken"} ` + err.Error()
	}
	if key := b.boundTo(); key != "" && key != m.Sender.Key {
		return m, http.StatusForbidden, `{"reason":"VapidPkHashMismatch"}`
	}
	if m.Payload, err = b.open(body); err != nil {
		return m, http.StatusBadRequest, err.Error()
	}
	return m, http.StatusCreated, ""
}
