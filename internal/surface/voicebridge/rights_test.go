package voicebridge

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"nod"
	"nod/internal/net/httpd"
)

func TestEveryRouteNeedsARight(t *testing.T) {
	g := newRig(t, 1)
	g.agent("nod-1", nod.AgentIdle)
	rights := []nod.Right{nod.Raise, nod.View, nod.Answering, nod.Admin}
	for _, rt := range g.routes {
		if rt.Path == "/voice" { // it only leads to the app
			continue
		}
		needs := nod.View
		if rt.Method == "POST" && rt.Path != ticketPath {
			needs = nod.Answering
		}
		if rt.Right != needs || rt.Open || rt.CrossSite {
			t.Errorf("%s %s is open to %v", rt.Method, rt.Path, rt.Right)
		}
		path := strings.NewReplacer("{id}", "nod-1", "{name}", "abcd").Replace(rt.Path)
		if strings.HasSuffix(path, "/stream") {
			path += "?last_event_id=x" // a mistake that is found after the rights, so that the stream ends
		}
		for _, token := range []string{"", "nod_wrong"} {
			if w := g.send(rt.Method, path, token, ""); w.Code != http.StatusUnauthorized {
				t.Errorf("%s %s with token %q: %d", rt.Method, path, token, w.Code)
			}
		}
		for _, has := range rights {
			w := g.send(rt.Method, path, g.token(nod.RightsOf(has)), "")
			if has != needs && w.Code != http.StatusForbidden {
				t.Errorf("%s %s with %v alone: %d", rt.Method, path, has, w.Code)
			}
			if has == nod.View && has == needs && w.Code == http.StatusForbidden {
				t.Errorf("%s %s with %v: %d", rt.Method, path, has, w.Code)
			}
		}
	}
}

// The right to answer does not include the right to view.
func TestAnswerRightAloneRevealsNothing(t *testing.T) {
	g := newRig(t, 1)
	g.agent("nod-1", nod.AgentWorking)
	g.Ask(approval("aaaa0001", "nod-1", "ls secret-place", "read"))
	for _, path := range []string{"/api/voice/command", "/api/respond/nod-1"} {
		w := g.send("POST", path, g.token(nod.RightsOf(nod.Answering)), `{"text":"yes"}`)
		if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "secret-place") || strings.Contains(w.Body.String(), "needs you") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestTrustedNetworks(t *testing.T) {
	home := netip.MustParsePrefix("192.168.1.0/24")
	own := func() []netip.Addr {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.168.1.5")}
	}
	for _, tt := range []struct {
		name, from, path, header string
		trusted                  []netip.Prefix
		want                     bool
	}{
		{"a phone at home", "192.168.1.20:4000", "/api/voice/sessions", "", []netip.Prefix{home}, true},
		{"mapped into IPv6", "[::ffff:192.168.1.20]:4000", "/api/events/stream", "", []netip.Prefix{home}, true},
		{"nothing is trusted by default", "192.168.1.20:4000", "/api/voice/sessions", "", nil, false},
		{"another network", "192.168.2.20:4000", "/api/voice/sessions", "", []netip.Prefix{home}, false},
		{"another door", "192.168.1.20:4000", "/v1/state", "", []netip.Prefix{home}, false},
		{"no way around by the path", "192.168.1.20:4000", "/api/voice", "", []netip.Prefix{home}, false},
		{"this machine, where agents run", "127.0.0.1:4000", "/api/voice/sessions", "", []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}, false},
		{"this machine by its other address", "192.168.1.5:4000", "/api/voice/sessions", "", []netip.Prefix{home}, false},
		{"through a proxy", "192.168.1.20:4000", "/api/voice/sessions", "X-Forwarded-For", []netip.Prefix{home}, false},
		{"through a socket", "@", "/api/voice/sessions", "", []netip.Prefix{home}, false},
	} {
		r := httptest.NewRequest("GET", tt.path, nil)
		r.RemoteAddr = tt.from
		if tt.header != "" {
			r.Header.Set(tt.header, "10.0.0.1")
		}
		by, ok := httpd.TrustNetworks(own, Trusted(tt.trusted))(r)
		if ok != tt.want {
			t.Errorf("%s: %v", tt.name, ok)
		}
		if ok && (by.Kind != nod.ActorPerson || by.Rights != nod.RightsOf(nod.View, nod.Answering) || by.Name == "") {
			t.Errorf("%s: %+v", tt.name, by)
		}
	}
	r := httptest.NewRequest("GET", "/api/voice/sessions", nil)
	r.RemoteAddr = "192.168.1.20:4000"
	if _, ok := httpd.TrustNetworks(func() []netip.Addr { return nil }, Trusted([]netip.Prefix{home}))(r); ok {
		t.Error("trusted, although nobody knows the addresses of this machine")
	}
}
