package push

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

var errPrivate = errors.New("the endpoint is on this machine or its own network, and push services are not")

// closed are networks that are not the public internet although Go counts them as global unicast.
func closed() [10]netip.Prefix {
	p := netip.MustParsePrefix
	return [...]netip.Prefix{
		p("0.0.0.0/8"), p("192.0.0.0/24"), p("198.18.0.0/15"), p("240.0.0.0/4"), p("::/96"), p("fec0::/10"),
		p("100.64.0.0/10"),  // behind a carrier's NAT; also Tailscale
		p("64:ff9b:1::/48"), // NAT64 of one's own network
		p("2001::/32"),      // Teredo and 6to4 hide another address
		p("2002::/16"),
	}
}

// public reports whether an address is on the internet, as every push service is.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if netip.MustParsePrefix("64:ff9b::/96").Contains(ip) { // NAT64: the IPv4 address inside counts
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	networks := closed()
	return !slices.ContainsFunc(networks[:], func(p netip.Prefix) bool { return p.Contains(ip) })
}

// guard runs after name resolution, right before connecting: a name that resolves differently the second time (DNS
// rebinding) does not get through.
func guard(_, address string, _ syscall.RawConn) error {
	ip, err := netip.ParseAddrPort(address)
	if err != nil || !public(ip.Addr()) {
		return errPrivate
	}
	return nil
}

// transport reaches push services and, unless private is set, nothing else: a paired device must not be able to probe
// the home network through the hub. It uses no proxy, because the proxy would choose the destination.
func transport(private bool) *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	if !private {
		dialer.Control = guard
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConns:           8,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 16 << 10,
		DisableCompression:     true,
	}
}
