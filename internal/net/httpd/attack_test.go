package httpd

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

// A request through a proxy is not trusted for the proxy's address, whatever headers
// the proxy or its client set.
func TestProxiesAreNotTrusted(t *testing.T) {
	own := func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.168.1.5")} }
	trusted := TrustNetworks(own, Trust{Networks: []netip.Prefix{netip.MustParsePrefix("192.168.1.0/24")}, Paths: func(string) bool { return true }})
	come := func(headers ...string) bool {
		r := httptest.NewRequest("POST", "/ask", nil)
		r.RemoteAddr = "192.168.1.20:4000"
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		_, ok := trusted(r)
		return ok
	}
	if !come() || !come("Accept", "*/*", "User-Agent", "HomeAssistant") {
		t.Error("a neighbour is turned away")
	}
	for _, name := range []string{
		"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded", "X-Real-Ip", "Via", "Cf-Connecting-Ip", "Cf-Ray",
		"True-Client-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "Tailscale-User-Login", "X-Envoy-External-Address",
	} {
		if come(name, "203.0.113.9") {
			t.Errorf("%s is not seen", name)
		}
		if come(name, "", name, "203.0.113.9") { // the client sent an empty one first
			t.Errorf("%s is not seen behind an empty one", name)
		}
	}
}

// This machine is not trusted, under any of its addresses.
func TestThisMachineIsNotTrusted(t *testing.T) {
	own := func() []netip.Addr {
		return []netip.Addr{netip.MustParseAddr("192.168.1.5"), netip.MustParseAddr("fe80::5"), netip.MustParseAddr("2001:db8::5")}
	}
	trusted := TrustNetworks(own, Trust{Networks: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}, Paths: func(string) bool { return true }})
	for addr, want := range map[string]bool{
		"192.168.1.20:1": true, "[2001:db8::6]:1": true,
		"192.168.1.5:1": false, "[::ffff:192.168.1.5]:1": false, "127.0.0.1:1": false, "127.8.8.8:1": false, "[::1]:1": false, "[::ffff:127.0.0.1]:1": false,
		"[fe80::5%eth0]:1": false, "[2001:db8::5]:1": false, "0.0.0.0:1": false, "[::]:1": false, "[::ffff:0.0.0.0]:1": false, "@": false, "": false, "192.168.1.20": false,
	} {
		r := httptest.NewRequest("POST", "/ask", nil)
		r.RemoteAddr = addr
		if _, ok := trusted(r); ok != want {
			t.Errorf("%s: %v", addr, ok)
		}
	}
}
