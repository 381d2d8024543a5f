package app

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"

	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/surface/push"
	"nod/internal/surface/relay"
	"nod/internal/surface/relaypeer"
)

// relay speaks the wire of Prompt Relay, on the hub's own port and on others.
func (a *app) relay(browsers *push.Surface) []httpd.Route {
	needs := relay.Needs{Credentials: a.credentials, Tokens: a.store, VAPIDKey: browsers.Key, WebPush: browsers}
	if a.ca != nil {
		needs.CA = a.ca.PEM()
	}
	a.peers()
	return a.use("relay", relay.New(a.Config.Relay, a.deps(), needs))
}

// peers are Prompt Relay's own devices: those that are configured, and those that were
// found.
func (a *app) peers() {
	c := a.Config.Relay
	if len(c.Peer) == 0 && c.Found == "off" {
		return
	}
	needs := relaypeer.Needs{Found: c.Found}
	for _, p := range c.Peer {
		needs.Peers = append(needs.Peers, relaypeer.Peer(p))
	}
	a.use("relay.peer", relaypeer.New(a.deps(), needs))
}

// announceSelf lets devices of the home network find the hub, where it listens
// beyond this machine.
func (a *app) announceSelf() {
	u, err := url.Parse(a.address)
	if err != nil || !a.Config.MDNS.Announce || a.Demo {
		return
	}
	ip, err := netip.ParseAddr(u.Hostname())
	port, _ := strconv.Atoi(u.Port())
	if err != nil || ip.IsLoopback() || port == 0 {
		return
	}
	self := mdns.Self{Host: hostname(), Version: a.Version, Port: port, TLS: u.Scheme == "https"}
	self.Also = map[string]int{}
	for _, l := range a.listeners {
		there, err := url.Parse(l.server.URL())
		if err == nil && there.Scheme == "http" && l.Service != "" {
			self.Also[l.Service], _ = strconv.Atoi(there.Port())
		}
	}
	a.run = append(a.run, func(ctx context.Context) {
		if err := mdns.Announce(ctx, self.Services()); err != nil && ctx.Err() == nil {
			a.Log.Warn("the hub cannot be announced in this network", "err", err)
		}
	})
}
