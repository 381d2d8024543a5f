package certs

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Names are what a hub is called.
type Names struct {
	DNS []string
	IP  []netip.Addr
}

// most is how many addresses of one kind a certificate holds: enough for every
// machine we can imagine, and a bound for those we cannot.
const most = 64

// Machine tells how this machine can be reached at the moment.
type Machine struct {
	Hostname  func() (string, error)
	Addresses func() ([]net.Addr, error)
}

// ThisMachine asks the operating system.
func ThisMachine() Machine {
	return Machine{Hostname: os.Hostname, Addresses: net.InterfaceAddrs}
}

// host is the machine's own name, if it is one that a certificate can hold.
func (m Machine) host() string {
	name, err := m.Hostname()
	if name = tidy(name); err != nil || !valid(name) {
		return "localhost"
	}
	return name
}

// names are all that lead here now: what was configured first, then the
// machine's own.
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
		return n // what there is must do; the address of a connection is added when it comes
	}
	for _, a := range addresses {
		if p, err := netip.ParsePrefix(a.String()); err == nil && useful(p.Addr()) && len(n.IP) < most {
			n.add(p.Addr().Unmap().WithZone("").String())
		}
	}
	return n
}

// useful leaves out addresses that nobody can type: IPv6 of a link needs the
// name of an interface, and public ones change every day.
func useful(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.Is4() || ip.IsPrivate() || ip.IsLoopback()
}

// add takes a name or an address in; what is neither is left out.
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

// valid says whether a certificate can hold a name.
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
