// Package mdns lets others on the network find this hub, and finds devices
// there. What it hears is a claim of whoever speaks: an address to try, never a
// reason to trust.
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

// The types of service that nod speaks of.
const (
	HTTP    = "_http._tcp"
	Nod     = "_nod._tcp"
	Wyoming = "_wyoming._tcp" // by which Home Assistant finds a conversation agent
)

// longest is how many bytes a part of a name may have.
const longest = 63

// quiet keeps the library's remarks off standard output: the first line there
// says where the hub listens, and scripts read it.
var quiet = sync.OnceFunc(func() { dnssdlog.Info.Disable() })

// label is a text as a part of a name. The library tells names apart by their
// escaped form, in which letters outside ASCII do not come back as they went.
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

// networks are the names of the interfaces on which somebody could be found.
// Those that have nothing but an address of their own making are the inner ends
// of containers.
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
