package certs

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Names are the host names and addresses of a hub.
type Names struct {
	DNS []string
	IP  []netip.Addr
}

// most bounds the addresses of one kind in a certificate: more than real machines have.
const most = 64

// Machine reports how this machine can be reached at the moment.
type Machine struct {
	Hostname  func() (string, error)
	Addresses func() ([]net.Addr, error)
}

// ThisMachine asks the operating system.
func ThisMachine() Machine {
	return Machine{Hostname: os.Hostname, Addresses: net.InterfaceAddrs}
}

// host is the machine's own name, if a certificate can hold it.
func (m Machine) host() string {
	name, err := m.Hostname()
	if name = tidy(name); err != nil || !valid(name) {
		return "localhost"
	}
	return name
}

// names are all that lead here now: first the configured ones, then the machine's own.
func (m Machine) names(hosts []string) Names {
	var n Names
	for _, h := range hosts {
		n.add(h)
	}
	host := m.host()
	short, _, _ := strings.Cut(host, ".")
	for _, name := range []string{host, short, "localhost"} {
		n.add(name)
	}
	if short != "localhost" {
		n.add(short + ".local")
	}
	n.add("127.0.0.1")
	n.add("::1")
	addresses, err := m.Addresses()
	if err != nil {
		return n // go on without; a connection's address is added when it comes
	}
	for _, a := range addresses {
		if p, err := netip.ParsePrefix(a.String()); err == nil && useful(p.Addr()) && len(n.IP) < most {
			n.add(p.Addr().Unmap().WithZone("").String())
		}
	}
	return n
}

// useful leaves out addresses that people cannot type: link-local IPv6 needs an interface name, and public addresses
// change every day.
func useful(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.Is4() || ip.IsPrivate() || ip.IsLoopback()
}

// add adds a name or an address and ignores anything else.
func (n *Names) add(text string) {
	text = tidy(text)
	if ip, err := netip.ParseAddr(text); err == nil {
		ip = ip.Unmap().WithZone("")
		if !slices.Contains(n.IP, ip) && !ip.IsUnspecified() {
			n.IP = append(n.IP, ip)
		}
		return
	}
	if valid(text) && !slices.Contains(n.DNS, text) {
		n.DNS = append(n.DNS, text)
	}
}

func tidy(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(name), "."))
}

// valid reports whether a certificate can hold a name.
func valid(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

func isLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(label, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}
