package push_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod/e2e/fakepush"
	"nod/internal/net/push"
)

// sender reaches a service on this machine, as only tests and people with a
// push service of their own may.
func sender(t *testing.T) (*push.Sender, *push.Signer) {
	t.Helper()
	return senderWith(t, push.Config{Private: true})
}

func senderWith(t *testing.T, c push.Config) (*push.Sender, *push.Signer) {
	t.Helper()
	key, err := push.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	if c.Signer, err = push.NewSigner(key, "mailto:anna@example.org", time.Now); err != nil {
		t.Fatal(err)
	}
	c.Now = time.Now
	s := push.NewSender(c)
	t.Cleanup(s.Close)
	return s, c.Signer
}

func service(t *testing.T) *fakepush.Service {
	s := fakepush.Start()
	t.Cleanup(s.Close)
	return s
}

func to(b *fakepush.Browser) push.Subscription {
	return push.Subscription{Endpoint: b.Endpoint, P256DH: b.PublicKey(), Auth: b.Secret()}
}

func TestOnlyTheBrowserCanReadIt(t *testing.T) {
	s, signer := sender(t)
	browser := service(t).Subscribe(signer.PublicKey())
	m := push.Message{Payload: []byte(`{"title":"żółw 日本"}`), TTL: 90 * time.Second, Urgency: push.High, Topic: push.Topic("request 1")}
	if r := s.Send(t.Context(), to(browser), m); r.Outcome != push.Delivered || r.Status != 201 {
		t.Fatalf("%+v", r)
	}
	got := browser.Received()[0]
	if !bytes.Equal(got.Payload, m.Payload) || got.TTL != 90 || got.Urgency != "high" || got.Topic != m.Topic || len(got.Topic) != 32 {
		t.Errorf("%+v", got)
	}
	if got.Sender.Contact != "mailto:anna@example.org" || got.Sender.Key != signer.PublicKey() {
		t.Errorf("the sender is %+v", got.Sender)
	}
}

func TestTheLengthOfATextIsHidden(t *testing.T) {
	s, _ := sender(t)
	browser := service(t).Subscribe("")
	sizes := map[int]bool{}
	for _, n := range []int{0, 1, 500, 1023, 1024, 3000, push.MaxPayload} {
		if r := s.Send(t.Context(), to(browser), push.Message{Payload: bytes.Repeat([]byte{0}, n)}); r.Outcome != push.Delivered {
			t.Fatalf("%d: %+v", n, r)
		}
	}
	for _, m := range browser.Received() {
		sizes[m.Size] = true
	}
	if len(sizes) != 4 { // 1, 2 and 3 kB, and the whole record
		t.Errorf("sizes %v: a text can be told by its length", sizes)
	}
	if r := s.Send(t.Context(), to(browser), push.Message{Payload: make([]byte, push.MaxPayload+1)}); r.Outcome != push.TooLarge {
		t.Errorf("%+v", r)
	}
}

func TestNewerMessageReplacesAnUndeliveredOne(t *testing.T) {
	s, _ := sender(t)
	browser := service(t).Subscribe("")
	browser.Sleep()
	for _, text := range []string{"asked", "settled"} {
		s.Send(t.Context(), to(browser), push.Message{Payload: []byte(text), TTL: time.Hour, Topic: push.Topic("a")})
	}
	s.Send(t.Context(), to(browser), push.Message{Payload: []byte("other"), TTL: time.Hour, Topic: push.Topic("b")})
	browser.Wake()
	var got []string
	for _, m := range browser.Received() {
		got = append(got, string(m.Payload))
	}
	if strings.Join(got, " ") != "settled other" {
		t.Error(got)
	}
}

func TestOutcomes(t *testing.T) {
	s, _ := sender(t)
	far := service(t)
	for _, tt := range []struct {
		status int
		after  string
		want   push.Result
	}{
		{201, "", push.Result{Outcome: push.Delivered}},
		{202, "", push.Result{Outcome: push.Delivered}},
		{404, "", push.Result{Outcome: push.Gone}},
		{410, "", push.Result{Outcome: push.Gone}},
		{429, "120", push.Result{Outcome: push.Later, After: 2 * time.Minute}},
		{429, "-5", push.Result{Outcome: push.Later}},
		{503, "soon", push.Result{Outcome: push.Later}},
		{500, "Mon, 02 Jan 2006 15:04:05 GMT", push.Result{Outcome: push.Later}},
		{400, "120", push.Result{Outcome: push.Refused}},
		{401, "", push.Result{Outcome: push.Refused}},
		{403, "", push.Result{Outcome: push.Refused}},
		{413, "", push.Result{Outcome: push.TooLarge}},
		{302, "", push.Result{Outcome: push.Refused}},
		{304, "", push.Result{Outcome: push.Refused}},
	} {
		browser := far.Subscribe("")
		browser.Answer(tt.status, strings.Repeat("why ", 100), "Retry-After", tt.after, "Location", far.Subscribe("").Endpoint)
		got := s.Send(t.Context(), to(browser), push.Message{Payload: []byte("x")})
		if tt.want.Status = tt.status; tt.status != 304 { // which has no body
			tt.want.Detail = strings.Repeat("why ", 50)
		}
		if got != tt.want {
			t.Errorf("%d %s: %+v, want %+v", tt.status, tt.after, got, tt.want)
		}
	}
}

func TestRetryAfterADate(t *testing.T) {
	s, _ := sender(t)
	browser := service(t).Subscribe("")
	browser.Answer(503, "", "Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
	got := s.Send(t.Context(), to(browser), push.Message{})
	if got.After < 58*time.Minute || got.After > time.Hour {
		t.Errorf("%+v", got)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	s, _ := sender(t)
	reached := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(inside.Close)
	browser := service(t).Subscribe("")
	for _, status := range []int{301, 302, 303, 307, 308} {
		browser.Answer(status, "", "Location", inside.URL)
		if r := s.Send(t.Context(), to(browser), push.Message{}); r.Outcome != push.Refused {
			t.Errorf("%d: %+v", status, r)
		}
	}
	if reached {
		t.Error("the redirect was followed")
	}
}

func TestPrivateAddressesAreNotDialled(t *testing.T) {
	reached := false
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(inside.Close)
	s, _ := senderWith(t, push.Config{})
	b := fakepush.New().Subscribe("")
	for _, endpoint := range []string{
		inside.URL, "http://127.0.0.1:1/", "https://192.168.1.1/", "https://[fe80::1]/", "https://localhost/", "http://push.example/",
	} {
		sub := to(b)
		sub.Endpoint = endpoint
		got := s.Send(t.Context(), sub, push.Message{})
		if got.Outcome != push.Refused || got.Status != 0 {
			t.Errorf("%s: %+v", endpoint, got)
		}
	}
	if reached {
		t.Error("a server on this machine was reached")
	}
}

func TestNoAnswerMeansLater(t *testing.T) {
	s, _ := sender(t)
	far := fakepush.Start()
	browser := far.Subscribe("")
	ctx, cancel := context.WithCancel(t.Context())
	browser.Hold()
	done := make(chan push.Result)
	go func() { done <- s.Send(ctx, to(browser), push.Message{}) }()
	cancel()
	if r := <-done; r.Outcome != push.Later || strings.Contains(r.Detail, browser.Endpoint) {
		t.Errorf("given up: %+v", r)
	}
	far.Close()
	if r := s.Send(t.Context(), to(browser), push.Message{}); r.Outcome != push.Later || strings.Contains(r.Detail, browser.Endpoint) {
		t.Errorf("nobody there: %+v", r)
	}
}

func TestInvalidSubscriptions(t *testing.T) {
	good := to(fakepush.New().Subscribe(""))
	if err := good.Check(false); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*push.Subscription){
		"no address":        func(s *push.Subscription) { s.Endpoint = "push" },
		"no host":           func(s *push.Subscription) { s.Endpoint = "https:///x" },
		"opaque":            func(s *push.Subscription) { s.Endpoint = "https:push.example" },
		"plain http":        func(s *push.Subscription) { s.Endpoint = "http://push.example/" },
		"a user":            func(s *push.Subscription) { s.Endpoint = "https://a:b@push.example/" },
		"a fragment":        func(s *push.Subscription) { s.Endpoint = "https://push.example/#x" },
		"another scheme":    func(s *push.Subscription) { s.Endpoint = "file:///etc/passwd" },
		"too long":          func(s *push.Subscription) { s.Endpoint = "https://push.example/" + strings.Repeat("x", 2048) },
		"this machine":      func(s *push.Subscription) { s.Endpoint = "https://127.0.0.1/" },
		"this network":      func(s *push.Subscription) { s.Endpoint = "https://10.1.2.3/" },
		"a short key":       func(s *push.Subscription) { s.P256DH = s.P256DH[:64] },
		"no point":          func(s *push.Subscription) { s.P256DH = append([]byte{4}, make([]byte, 64)...) },
		"a short secret":    func(s *push.Subscription) { s.Auth = s.Auth[:15] },
		"http, own network": func(s *push.Subscription) { s.Endpoint = "http://10.1.2.3/" },
	} {
		bad := good
		change(&bad)
		if bad.Check(false) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for endpoint, ok := range map[string]bool{
		"http://127.0.0.1:80/": true, "http://localhost/": true, "https://10.1.2.3/": true, "http://10.1.2.3/": false, "http://push.example/": false,
	} {
		own := good
		own.Endpoint = endpoint
		if err := own.Check(true); (err == nil) != ok {
			t.Errorf("own network, %s: %v", endpoint, err)
		}
	}
}
