package apns

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const device = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

// apple stands in for Apple's push service, on HTTP/2 with TLS.
type apple struct {
	*httptest.Server
	key    *ecdsa.PrivateKey
	mu     sync.Mutex
	got    []received
	answer func(n int, w http.ResponseWriter) // of the nth call, from 1
}

type received struct {
	proto  int
	path   string
	header http.Header
	body   string
}

func newApple(t *testing.T, answer func(n int, w http.ResponseWriter)) *apple {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &apple{key: key, answer: answer}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.mu.Lock()
		a.got = append(a.got, received{r.ProtoMajor, r.Method + " " + r.URL.Path, r.Header.Clone(), string(body)})
		n := len(a.got)
		a.mu.Unlock()
		if a.answer != nil {
			a.answer(n, w)
		}
	}))
	a.EnableHTTP2 = true
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

func (a *apple) calls() []received {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.got
}

func (a *apple) sender(t *testing.T, now func() time.Time) *Sender {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(a.Certificate())
	s, err := New(Config{
		Key:   pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
		KeyID: "ABC123DEFG", TeamID: "DEF123GHIJ", Bundle: "com.example.relay", URL: a.URL,
		TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// silent wakes an app without an alert.
var silent = Push{Background: true, Payload: map[string]any{"aps": map[string]int{"content-available": 1}}}

func TestAnAlertIsSentAsAppleExpectsIt(t *testing.T) {
	a := newApple(t, nil)
	push := Push{Collapse: "relay:mac:main:0.1", Expires: time.Unix(1_900_000_000, 0), Payload: json.RawMessage(`{"aps":{"alert":{"title":"承認待ち"}}}`)}
	if r := a.sender(t, nil).Send(t.Context(), Device{Token: strings.ToUpper(device)}, push); r.Outcome != Delivered || r.Status != 200 {
		t.Fatalf("result %+v", r)
	}
	got := a.calls()[0]
	if got.proto != 2 || got.path != "POST /3/device/"+device {
		t.Errorf("HTTP/%d %s", got.proto, got.path)
	}
	for name, want := range map[string]string{
		"apns-topic": "com.example.relay", "apns-push-type": "alert", "apns-priority": "10",
		"apns-collapse-id": "relay:mac:main:0.1", "apns-expiration": "1900000000",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.header.Get(name), want)
		}
	}
	if want := `{"aps":{"alert":{"title":"承認待ち"}}}`; got.body != want {
		t.Errorf("body\n%s\nwant\n%s", got.body, want)
	}
}

func TestBackgroundPushToAWatch(t *testing.T) {
	a := newApple(t, nil)
	a.sender(t, nil).Send(t.Context(), Device{Token: device, Watch: true}, silent)
	h := a.calls()[0].header
	if h.Get("apns-push-type") != "background" || h.Get("apns-priority") != "5" || h.Get("apns-topic") != "com.example.relay.watchkitapp" {
		t.Errorf("headers %v", h)
	}
	if _, there := h["Apns-Collapse-Id"]; there {
		t.Error("a push without a collapse id has one")
	}
}

func TestTokenIsSignedAndReusedForFiftyMinutes(t *testing.T) {
	a := newApple(t, nil)
	now := time.Unix(1_800_000_000, 0)
	s := a.sender(t, func() time.Time { return now })
	for _, step := range []time.Duration{0, 49 * time.Minute, 2 * time.Minute} {
		now = now.Add(step)
		s.Send(t.Context(), Device{Token: device}, silent)
	}
	calls := a.calls()
	first, second, third := calls[0].header.Get("Authorization"), calls[1].header.Get("Authorization"), calls[2].header.Get("Authorization")
	if first != second || second == third {
		t.Error("the token was not kept for fifty minutes and no longer")
	}
	parts := strings.Split(strings.TrimPrefix(first, "bearer "), ".")
	if len(parts) != 3 {
		t.Fatalf("%q is no token", first)
	}
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	sig, _ := base64.RawURLEncoding.DecodeString(parts[2])
	if string(head) != `{"alg":"ES256","kid":"ABC123DEFG","typ":"JWT"}` || string(claims) != `{"iat":1800000000,"iss":"DEF123GHIJ"}` {
		t.Errorf("%s %s", head, claims)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(sig) != 64 || !ecdsa.Verify(&a.key.PublicKey, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		t.Error("the signature does not fit the key")
	}
}

func TestOutcomeOfApplesAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		reason string
		want   Outcome
	}{
		{200, "", Delivered}, {410, "Unregistered", Gone}, {400, "BadDeviceToken", Gone}, {400, "BadTopic", Refused},
		{403, "InvalidProviderToken", Refused}, {429, "TooManyRequests", Later}, {503, "ServiceUnavailable", Later},
	} {
		a := newApple(t, func(_ int, w http.ResponseWriter) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, `{"reason":"`+c.reason+`"}`)
		})
		r := a.sender(t, nil).Send(t.Context(), Device{Token: device}, silent)
		if r.Outcome != c.want || r.Reason != c.reason {
			t.Errorf("%d %s: %+v, want %v", c.status, c.reason, r, c.want)
		}
	}
}

func TestExpiredTokenIsReplaced(t *testing.T) {
	a := newApple(t, func(n int, w http.ResponseWriter) {
		if n == 1 {
			w.WriteHeader(403)
			_, _ = io.WriteString(w, `{"reason":"ExpiredProviderToken"}`)
		}
	})
	r := a.sender(t, nil).Send(t.Context(), Device{Token: device}, silent)
	calls := a.calls()
	if r.Outcome != Delivered || len(calls) != 2 || calls[0].header.Get("Authorization") == calls[1].header.Get("Authorization") {
		t.Errorf("%+v after %d calls", r, len(calls))
	}
}

func TestBrokenConnectionIsRetriedOnce(t *testing.T) {
	a := newApple(t, func(n int, _ http.ResponseWriter) {
		if n == 2 {
			panic(http.ErrAbortHandler) // the stream is reset
		}
	})
	s := a.sender(t, nil)
	for i := range 2 {
		if r := s.Send(t.Context(), Device{Token: device}, silent); r.Outcome != Delivered {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if n := len(a.calls()); n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
}

func TestUnreachableServerIsLaterAndNamesNoDevice(t *testing.T) {
	a := newApple(t, nil)
	s := a.sender(t, nil)
	a.Close()
	r := s.Send(t.Context(), Device{Token: device}, silent)
	if r.Outcome != Later || strings.Contains(r.Reason, device) {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := s.Send(ctx, Device{Token: device}, silent); r.Outcome != Later {
		t.Errorf("cancelled: %+v", r)
	}
}

func TestInvalidTokenIsNeverPartOfAPath(t *testing.T) {
	a := newApple(t, nil)
	s := a.sender(t, nil)
	for _, token := range []string{"", "../../x", "zz", "00?x=1", "0"} {
		if r := s.Send(t.Context(), Device{Token: token}, silent); r.Outcome != Gone {
			t.Errorf("%q: %+v", token, r)
		}
	}
	if n := len(a.calls()); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

func TestCollapseIDFitsItsHeader(t *testing.T) {
	for in, same := range map[string]bool{"relay:mac:0.1": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "a\nb": false, "日本": false} {
		got := collapse(in)
		if len(got) > 64 || (got == in) != same {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestBadKeysAreExplained(t *testing.T) {
	for _, key := range []string{"", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if _, err := New(Config{Key: []byte(key), KeyID: "k", TeamID: "t", Bundle: "b"}); err == nil || !strings.Contains(err.Error(), ".p8") {
			t.Errorf("%q: %v", key, err)
		}
	}
}
