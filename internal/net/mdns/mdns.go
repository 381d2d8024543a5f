// Package mdns lets others on the network find this hub, and finds devices there. Everything it receives is an
// unverified claim: an address to try, never a reason to trust.
package mdns

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/brutella/dnssd"
	dnssdlog "github.com/brutella/dnssd/log"
)

// The service types that nod uses.
const (
	HTTP    = "_http._tcp"
	Nod     = "_nod._tcp"
	Wyoming = "_wyoming._tcp" // how Home Assistant finds a conversation agent
)

// longest is the maximum length of a name's label in bytes.
const longest = 63

// quiet keeps the library's messages off standard output: scripts read the first line there to learn where the hub
// listens.
var quiet = sync.OnceFunc(func() { dnssdlog.Info.Disable() })

// label makes a DNS label of a text. The library compares names in escaped form, which does not round-trip letters
// outside ASCII.
func label(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == ' ', r == '.', r == '_':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), longest)], " -.")
}

// networks are the interfaces on which devices could be found. Interfaces with only a self-assigned address are the
// inner ends of containers.
func networks() []string {
	var names []string
	for _, i := range dnssd.MulticastInterfaces() {
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		if slices.ContainsFunc(addresses, reachable) {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return names
}

func reachable(a net.Addr) bool {
	p, err := netip.ParsePrefix(a.String())
	return err == nil && (p.Addr().Is4() || !p.Addr().IsLinkLocalUnicast())
}
