package voicebridge

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"nod"
	"nod/internal/words"
)

// Neighbours admits people without a credential from networks that the owner of
// the hub trusts, to the doors of this surface and to no other. The gate of the
// house asks it when nobody has shown who they are.
//
// Never trusted: this machine itself, by whatever address it calls, because
// agents run there and must not answer themselves; and whatever came through a
// proxy, because its address says nothing about who is behind.
func Neighbours(trusted []netip.Prefix, own func() []netip.Addr) func(*http.Request) (nod.Actor, bool) {
	return func(r *http.Request) (nod.Actor, bool) {
		if len(trusted) == 0 || !ours(r.URL.Path) || proxied(r.Header) {
			return nod.Actor{}, false
		}
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			return nod.Actor{}, false
		}
		addr := from.Addr().Unmap().WithZone("")
		mine := own() // without them nobody can be told from this machine
		if len(mine) == 0 || addr.IsLoopback() || addr.IsUnspecified() || addr == arrivedAt(r) || slices.Contains(mine, addr) {
			return nod.Actor{}, false
		}
		if !slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			return nod.Actor{}, false
		}
		return nod.Actor{
			Kind: nod.Person, Name: words.In(words.English).Say(words.VoiceHome), Via: "voice", ID: addr.String(),
			Rights: nod.RightsOf(nod.View, nod.Answering),
		}, true
	}
}

func ours(path string) bool {
	return strings.HasPrefix(path, "/api/voice/") || strings.HasPrefix(path, "/api/respond/") || path == "/api/events/stream"
}

func proxied(h http.Header) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via", "Cf-Connecting-Ip"} {
		if h.Get(name) != "" {
			return true
		}
	}
	return false
}

// arrivedAt is the hub's own end of the connection.
func arrivedAt(r *http.Request) netip.Addr {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if addr == nil {
		return netip.Addr{}
	}
	return addr.AddrPort().Addr().Unmap().WithZone("")
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
