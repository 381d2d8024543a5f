package app

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/certs"
	"nod/internal/net/mdns"
)

// announcement tells people and devices where the hub is.
type announcement struct {
	Options
	ca      *certs.Authority // of this hub, if it has one
	address string           // as it listens
	public  string           // as others call it
}

func newAnnouncement(o Options, address string, ca *certs.Authority) announcement {
	a := announcement{Options: o, ca: ca, address: address}
	name := hostname()
	if ca != nil && !strings.Contains(name, ".") && name != "localhost" {
		name = strings.ToLower(name) + ".local" // phones know the names of a home network by this ending only
	}
	a.public = publicAddress(address, name, o.Config.Hosts)
	if names := o.Config.TLS.ACME; len(names) > 0 {
		a.public = "https://" + names[0] // a CA that is asked by ACME calls port 443, so that is where the names lead
	}
	return a
}

// publicAddress is the address as another machine would type it: a hub that
// listens everywhere has to be called by some name.
func publicAddress(address, host string, hosts []string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err != nil || !ip.IsUnspecified() {
		return address
	}
	if len(hosts) > 0 {
		host = hosts[0]
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// print says the address, first of all and alone on its line because scripts wait for
// it, and how to pair a device.
func (a *announcement) print(ctx context.Context, c *auth.Credentials) error {
	if _, err := fmt.Fprintf(a.Out, "listening on %s\n", a.address); err != nil {
		return err
	}
	if a.Greet == nil {
		return nil
	}
	link, valid, err := a.firstPairing(ctx, c)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(a.Out, a.Greet(link, valid)); err == nil && a.ca != nil && a.Trust != nil {
		_, err = fmt.Fprintln(a.Out, a.Trust(a.trustLink(), a.ca.Fingerprint()))
	}
	return err
}

// firstPairing is a link for the very first device. Once there is one, no code is
// printed any more: what a service prints ends up in logs that an agent can read, and
// `nod pair` checks who wants it.
func (a *announcement) firstPairing(ctx context.Context, c *auth.Credentials) (link string, valid time.Duration, err error) {
	known, err := c.List(ctx)
	if err != nil || len(known) > 0 {
		return "", 0, err
	}
	system := nod.Actor{Kind: nod.ActorSystem, Name: "nod serve", Rights: auth.Paired | nod.RightsOf(nod.Admin)}
	p, err := c.Offer(ctx, system, auth.Paired)
	if err != nil {
		return "", 0, err
	}
	return a.public + "/pair#" + p.Code, time.Until(p.Expires).Round(time.Minute), nil
}

// trustLink is where a device finds out how to trust this hub. It is plain HTTP on
// purpose: the page is no secret, and people should not learn to click warnings away.
// They compare what they trust by its fingerprint.
func (a *announcement) trustLink() string {
	return "http://" + strings.TrimPrefix(a.public, "https://") + "/trust"
}

// inNetwork lets devices of the home network find the hub until ctx ends, where it
// listens beyond this machine.
func (a *announcement) inNetwork(ctx context.Context, also []listener) {
	u, err := url.Parse(a.address)
	if err != nil || !a.Config.MDNS.Announce || a.Demo {
		return
	}
	ip, err := netip.ParseAddr(u.Hostname())
	port, _ := strconv.Atoi(u.Port())
	if err != nil || ip.IsLoopback() || port == 0 {
		return
	}
	self := mdns.Self{Host: hostname(), Version: a.Version, Port: port, TLS: u.Scheme == "https", Also: map[string]int{}}
	for _, l := range also {
		there, err := url.Parse(l.server.URL())
		if err == nil && there.Scheme == "http" && l.Service != "" {
			self.Also[l.Service], _ = strconv.Atoi(there.Port())
		}
	}
	if err := mdns.Announce(ctx, self.Services()); err != nil && ctx.Err() == nil {
		a.Log.Warn("the hub cannot be announced in this network", "err", err)
	}
}
