package httpd

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// lend returns a TLS configuration that the client of the test trusts.
func lend(t *testing.T) (*tls.Config, *http.Client) {
	t.Helper()
	lender := httptest.NewTLSServer(nil)
	t.Cleanup(lender.Close)
	return &tls.Config{Certificates: lender.TLS.Certificates}, lender.Client()
}

func TestPlainHTTPOnTheTLSPortIsRedirected(t *testing.T) {
	config, trusting := lend(t)
	seen := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s tls=%v cookie=%q", r.URL.Path, r.TLS != nil, r.Header.Get("Cookie"))
	})
	s, _, _ := start(t, Config{Listen: "127.0.0.1:0", TLS: config, PlainPaths: []string{"/trust"}, Handler: seen})
	address := s.tcp.Addr().String()
	for _, tt := range []struct {
		request string // followed by the Host, an empty line and two bytes
		host    string
		status  int
		says    string
	}{
		{"GET /agents/1?x=%2f HTTP/1.1", address, 307, "Location: https://" + address + "/agents/1?x=%2f\r\n"},
		{"GET //evil.example/ HTTP/1.1", address, 307, "Location: https://" + address + "//evil.example/\r\n"},
		{"HEAD / HTTP/1.1", address, 307, "Location: https://" + address + "/\r\n"},
		{"GET / HTTP/1.1", "evil.example", 403, "not called"},
		{"GET http://evil.example/ HTTP/1.1", address, 403, "not called"},
		{"GET /trust HTTP/1.1\r\nCookie: nod=secret", address, 200, `/trust tls=false cookie=""`},
		{"GET /v1/state HTTP/1.1\r\nAuthorization: Bearer nod_x", address, 403, "nod token revoke"},
		{"POST /v1/pair HTTP/1.1\r\nContent-Length: 2", address, 403, "https://" + address},
		{"POST /trust HTTP/1.1\r\nContent-Length: 2", address, 403, "https://" + address},
		{"what is this HTTP/9", address, 400, ""},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s\r\nHost: %s\r\n\r\n{}", tt.request, tt.host)
		got, err := io.ReadAll(conn)
		_ = conn.Close()
		if err != nil && len(got) == 0 {
			t.Errorf("%s: %v", tt.request, err)
			continue
		}
		res, err := http.ReadResponse(bufio.NewReader(strings.NewReader(string(got))), nil)
		if err != nil || res.StatusCode != tt.status || !strings.Contains(string(got), tt.says) {
			t.Errorf("%s: %v\n%s", tt.request, err, got)
		}
	}
	res, err := trusting.Get("https://" + address + "/agents")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); string(b) != `/agents tls=true cookie=""` {
		t.Errorf("%s", b)
	}
}

// Socket and address share one server; the first to be served must not decide the
// protocols of the other.
func TestHTTP2WithAUnixSocket(t *testing.T) {
	config, trusting := lend(t)
	trusting.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	for range 20 {
		s, stop, _ := start(t, Config{Listen: "127.0.0.1:0", TLS: config, Socket: filepath.Join(socketDir(t), "nod.sock")})
		res, err := trusting.Get(s.URL() + "/x")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.ProtoMajor != 2 {
			t.Error(res.Proto)
		}
		stop()
	}
}

// A silent client delays neither other clients nor the shutdown.
func TestSilentTLSClientDoesNotDelayShutdown(t *testing.T) {
	config, trusting := lend(t)
	s, stop, ended := start(t, Config{Listen: "127.0.0.1:0", TLS: config})
	silent, err := net.Dial("tcp", s.tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	res, err := trusting.Get(s.URL() + "/x")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := silent.Read(make([]byte, 1)); err == nil {
		t.Error("it is still connected")
	}
	if err := s.tcp.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}
