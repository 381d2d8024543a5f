package passkey

import (
	"net/netip"
	"net/url"
	"strings"
)

// Site is the page on which a ceremony takes place. A passkey is bound to the
// host name in the page's address, so a hub with two names has two sites.
type Site struct {
	Name   string // the RP ID
	Origin string // as the browser writes it, with scheme and port
}

// SiteOf parses a browser's Origin header. httpd has already checked that the
// name is one of the hub's own.
func SiteOf(origin string) (Site, error) {
	u, err := url.Parse(origin)
	if origin == "" || err != nil || u.Hostname() == "" {
		return Site{}, refuse(NoBrowser, "no page: Origin %q", origin)
	}
	name := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(name); err == nil {
		return Site{}, refuse(NoHostname, "%s is an address", name)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || name != "localhost") {
		return Site{}, refuse(Insecure, "%s is not a secure page", origin)
	}
	return Site{Name: name, Origin: origin}, nil
}
