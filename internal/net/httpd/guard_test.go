package httpd

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

var quiet = slog.New(slog.DiscardHandler)

// openMux serves one open route and one that other web sites may call.
func openMux(hosts ...string) http.Handler {
	yes := func(w http.ResponseWriter, _ *http.Request) error { return NoContent(w) }
	gate := &Gate{Credentials: auth.NewCredentials(mem.New(), nil, nil), Hosts: hosts, Allow: func(context.Context, nod.Actor, nod.Right, string) error { return nil }}
	return Mux(gate, quiet,
		Route{Method: "GET", Path: "/x", Open: true, Handle: yes},
		Route{Method: "POST", Path: "/x", Open: true, Handle: yes},
		Route{Method: "GET", Path: "/health", Open: true, CrossSite: true, Handle: yes})
}

func TestHostMatrix(t *testing.T) {
	handler := guard(openMux(), []string{"nod.example.com", "desk.lan"}, quiet)
	lan := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5), Port: 8742}
	for host, want := range map[string]int{
		"localhost":                 204,
		"LocalHost:8742":            204,
		"127.0.0.1":                 204,
		"127.0.0.1:8742":            204,
		"127.8.9.10:1":              204,
		"[::1]":                     204,
		"[::1]:8742":                204,
		"[::ffff:127.0.0.1]:8742":   204,
		"nod.example.com":           204,
		"NOD.example.com:443":       204,
		"desk.lan:8742":             204,
		"192.168.1.5:8742":          204, // the address of the connection
		"192.168.1.6:8742":          403,
		"0.0.0.0:8742":              403,
		"evil.example":              403,
		"evil.example:8742":         403,
		"localhost.evil.example":    403,
		"nod.example.com.evil.org":  403,
		"127.0.0.1.evil.example":    403,
		"localhost.":                403,
		"":                          403,
		"x@localhost":               403,
		"[fe80::1]":                 403,
		"2130706433":                403, // 127.0.0.1 in another notation that browsers accept
		"evil.example\x1b[31m:8742": 403,
	} {
		for _, path := range []string{"/x", "/health", "/nothing"} {
			r := httptest.NewRequest("GET", path, nil)
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(lan)))
			r.Host = host
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if wanted := want; w.Code != wanted && (wanted != 204 || path != "/nothing" || w.Code != 404) {
				t.Errorf("Host %q, %s: %d, want %d", host, path, w.Code, want)
			}
			if strings.ContainsRune(w.Body.String(), 0x1b) {
				t.Errorf("Host %q is repeated as it came", host)
			}
		}
	}
}

func TestTheSocketHasNoHostCheck(t *testing.T) {
	r := httptest.NewRequest("GET", "/x", nil)
	r.Host = "nod"
	r = r.WithContext(withConn(r.Context(), &net.UnixConn{}))
	w := httptest.NewRecorder()
	guard(openMux(), nil, quiet).ServeHTTP(w, r)
	if w.Code != 204 {
		t.Errorf("%d", w.Code)
	}
}

func TestOriginMatrix(t *testing.T) {
	handler := openMux("nod.example.com")
	for _, tt := range []struct {
		name, origin, site string
		want               int
	}{
		{"no browser", "", "", 204},
		{"typed into the address bar", "", "none", 204},
		{"our own page", "http://127.0.0.1:8742", "same-origin", 204},
		{"our own page, old browser", "http://127.0.0.1:8742", "", 204},
		{"our own page behind TLS", "https://127.0.0.1:8742", "", 204},
		{"our own image", "", "same-origin", 204},
		{"our page behind a proxy that changes Host", "https://nod.example.com", "same-origin", 204},
		{"the proxy's other site", "https://nod.example.com", "", 403},
		{"another proxy", "https://other.example.com", "same-origin", 403},
		{"another site", "https://evil.example", "cross-site", 403},
		{"another site, old browser", "https://evil.example", "", 403},
		{"another site's image", "", "cross-site", 403},
		{"another port of this machine", "http://127.0.0.1:3000", "same-site", 403},
		{"another port, old browser", "http://127.0.0.1:3000", "", 403},
		{"another port's image", "", "same-site", 403},
		{"a sandbox", "null", "", 403},
		{"a file", "file://", "", 403},
		{"an extension", "chrome-extension://abc", "", 403},
		{"a word of the future", "", "somewhere", 403},
		{"rubbish", "http://[", "", 403},
	} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			for _, path := range []string{"/x", "/health", "/nothing"} {
				r := httptest.NewRequest(method, "http://127.0.0.1:8742"+path, nil)
				set(r, "Origin", tt.origin)
				set(r, "Sec-Fetch-Site", tt.site)
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				crossSite := method == "GET" && path == "/health" // the only route that every site may call
				if refused := w.Code == 403; refused != (tt.want == 403 && !crossSite) {
					t.Errorf("%s: %s %s: %d", tt.name, method, path, w.Code)
				}
			}
		}
	}
}

func set(r *http.Request, name, value string) {
	if value != "" {
		r.Header.Set(name, value)
	}
}

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	handler := guard(openMux(), nil, quiet)
	for _, target := range []string{"http://localhost/x", "http://localhost/nothing", "http://evil.example/x"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		for _, name := range []string{"Cache-Control", "Content-Security-Policy", "Cross-Origin-Resource-Policy", "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options"} {
			if w.Header().Get(name) == "" {
				t.Errorf("%s: no %s", target, name)
			}
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s lets other sites read", target)
		}
	}
}
