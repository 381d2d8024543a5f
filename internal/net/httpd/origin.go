package httpd

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"nod"
)

// sameOrigin refuses requests from pages of other web sites: such a page must not
// answer through the browser of a person who may.
func sameOrigin(r *http.Request, hosts []string) error {
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && site != "none" {
		return otherSite(site)
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return otherSite(origin)
	}
	if strings.EqualFold(u.Host, r.Host) {
		return nil
	}
	// A proxy may set its own Host; for configured names the browser's Sec-Fetch-Site decides.
	if site == "same-origin" && slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, u.Hostname()) }) {
		return nil
	}
	return otherSite(origin)
}

func otherSite(origin string) error {
	return nod.Errorf(nod.Forbidden, "a page of another web site (%s) may not use this hub", nod.Fold(nod.OneLine(origin), 100))
}

// knownHost refuses foreign host names: under a name of its own, a web site could
// point a person's browser at this hub (DNS rebinding).
func knownHost(r *http.Request, hosts []string) error {
	if LocalConn(r.Context()) != nil {
		return nil // no browser can dial a Unix socket
	}
	host := hostname(r.Host)
	if strings.EqualFold(host, "localhost") || slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Unmap().IsLoopback() || ip.Unmap() == localIP(r) {
			return nil
		}
	}
	return nod.Errorf(nod.Forbidden, "this hub is not called %q. If it is, add that name to hosts in nod.toml", nod.Fold(nod.OneLine(host), 100))
}

// localIP is the address the client connected to. A page opened by address cannot
// be rebound.
func localIP(r *http.Request) netip.Addr {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if addr == nil {
		return netip.Addr{}
	}
	return addr.AddrPort().Addr().Unmap().WithZone("")
}

// hostname strips port and brackets from a Host header.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
