package certs

import (
	"crypto/x509"
	"net"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// privateZones cannot belong to anyone on the internet. A zone permits itself and all names below it.
var privateZones = [...]string{"localhost", "local", "internal", "lan", "home", "home.arpa"}

// privateNets are addresses that mean something different in every network: RFC 1918, loopback, link-local, carrier
// and overlay networks, and their IPv6 counterparts.
var privateNets = [...]string{
	"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10",
	"::1/128", "fc00::/7", "fe80::/10",
}

// constrain limits what the CA may sign for: a stolen key must not be able to impersonate a bank. The constraint is
// critical, as RFC 5280 demands: a client that does not understand it must not trust the CA at all.
func constrain(template *x509.Certificate, us Names) {
	template.PermittedDNSDomainsCritical = true
	template.PermittedDNSDomains = slices.Clone(privateZones[:])
	for _, name := range us.DNS {
		if !permitsName(template, name) && !registry(name) {
			template.PermittedDNSDomains = append(template.PermittedDNSDomains, name)
		}
	}
	for _, text := range privateNets {
		template.PermittedIPRanges = append(template.PermittedIPRanges, ipNet(netip.MustParsePrefix(text)))
	}
	for _, ip := range us.IP {
		if !permitsAddr(template, ip) {
			template.PermittedIPRanges = append(template.PermittedIPRanges, ipNet(netip.PrefixFrom(ip, ip.BitLen())))
		}
	}
}

// registry reports whether the public can register names below this one. A machine may well be called "dev", but
// permitting "dev" would permit all of its web sites.
func registry(name string) bool {
	suffix, icann := publicsuffix.PublicSuffix(name)
	// For a name without a rule the list takes the last label as suffix, which says nothing.
	return suffix == name && (icann || strings.Contains(name, "."))
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}

func permitsName(ca *x509.Certificate, name string) bool {
	return slices.ContainsFunc(ca.PermittedDNSDomains, func(zone string) bool {
		return name == zone || strings.HasSuffix(name, "."+zone)
	})
}

func permitsAddr(ca *x509.Certificate, ip netip.Addr) bool {
	return slices.ContainsFunc(ca.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip.AsSlice()) })
}

// within splits names into those that the CA may sign and the rest.
func (a *Authority) within(all Names) (signed Names, refused []string) {
	for _, name := range all.DNS {
		if permitsName(a.cert, name) {
			signed.DNS = append(signed.DNS, name)
		} else {
			refused = append(refused, name)
		}
	}
	for _, ip := range all.IP {
		if permitsAddr(a.cert, ip) {
			signed.IP = append(signed.IP, ip)
		} else {
			refused = append(refused, ip.String())
		}
	}
	return signed, refused
}
