package httpd

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"nod"
)

// Trust is networks from which people need no credential, at some doors and at
// no other. The owner of the hub writes them down.
type Trust struct {
	Networks []netip.Prefix
	Paths    func(path string) bool
	Name     string // how such a person is called in the log
	Via      string
}

// TrustNetworks admits people without a credential from trusted networks, with the
// rights to see and to answer. The gate asks it when nobody has shown who they
// are; own tells the addresses of this machine.
//
// Never trusted: this machine itself, by whatever address it calls, because
// agents run there and must not answer themselves; and whatever came through a
// proxy, because its address says nothing about who is behind.
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

// otherMachine is the address of a caller that is surely another machine.
func otherMachine(r *http.Request, own func() []netip.Addr) (netip.Addr, bool) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || proxied(r.Header) {
		return netip.Addr{}, false
	}
	addr := from.Addr().Unmap().WithZone("")
	mine := own() // without them nobody can be told from this machine
	known := len(mine) > 0 && !addr.IsLoopback() && !addr.IsUnspecified() && addr != localIP(r) && !slices.Contains(mine, addr)
	return addr, known
}

// proxied reports whether a proxy has left its mark. That there is one is enough: a
// client may have sent an empty one first.
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

// OwnAddresses are the addresses of this machine, for Neighbours.
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
