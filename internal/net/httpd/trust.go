package httpd

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"nod"
)

// Trust lists networks from which people need no credential on some paths. The
// owner of the hub configures it.
type Trust struct {
	Networks []netip.Prefix
	Paths    func(path string) bool
	Name     string // of such a person, in the log
	Via      string
}

// TrustNetworks admits people without a credential from trusted networks, with the
// rights to view and to answer. It is for Gate.Trusted; own returns the addresses of
// this machine.
//
// It never trusts this machine itself, under any of its addresses, because agents
// run here and must not answer themselves; nor a request that came through a proxy,
// because the proxy's address says nothing about who is behind it.
func TrustNetworks(own func() []netip.Addr, trusts ...Trust) func(*http.Request) (nod.Actor, bool) {
	return func(r *http.Request) (nod.Actor, bool) {
		for _, t := range trusts {
			if len(t.Networks) == 0 || !t.Paths(r.URL.Path) {
				continue
			}
			if addr, ok := otherMachine(r, own); ok && slices.ContainsFunc(t.Networks, func(p netip.Prefix) bool { return p.Contains(addr) }) {
				return nod.Actor{Kind: nod.ActorPerson, Name: t.Name, Via: t.Via, ID: addr.String(), Rights: nod.RightsOf(nod.View, nod.Answering)}, true
			}
		}
		return nod.Actor{}, false
	}
}

// otherMachine returns the caller's address if it is certainly another machine.
func otherMachine(r *http.Request, own func() []netip.Addr) (netip.Addr, bool) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || proxied(r.Header) {
		return netip.Addr{}, false
	}
	addr := from.Addr().Unmap().WithZone("")
	mine := own() // if unknown, any caller could be this machine
	known := len(mine) > 0 && !addr.IsLoopback() && !addr.IsUnspecified() && addr != localIP(r) && !slices.Contains(mine, addr)
	return addr, known
}

// proxied reports whether a header of a proxy is present. Its value does not
// matter: a client may have sent an empty one first.
func proxied(h http.Header) bool {
	for name := range h {
		switch {
		case strings.Contains(name, "Forwarded"), strings.HasPrefix(name, "Cf-"), strings.HasPrefix(name, "Tailscale-"), strings.HasPrefix(name, "X-Envoy-"),
			strings.HasSuffix(name, "Client-Ip"), name == "X-Real-Ip", name == "Via":
			return true
		}
	}
	return false
}

// OwnAddresses returns the addresses of this machine, for TrustNetworks.
func OwnAddresses() []netip.Addr {
	var list []netip.Addr
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			list = append(list, p.Addr().Unmap().WithZone(""))
		}
	}
	return list
}
