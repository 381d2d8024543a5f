package app

import (
	"context"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/present/words"
	"nod/internal/surface/relay"
	"nod/internal/surface/relaypeer"
)

// relay speaks the wire of Prompt Relay, on the hub's own port and on others.
func (a *app) relay() []httpd.Route {
	needs := relay.Needs{Credentials: a.keeper, Tokens: a.store, VAPIDKey: a.pusher.Key, WebPush: a.pusher}
	if a.ca != nil {
		needs.CA = a.ca.PEM()
	}
	a.peers()
	return a.use("relay", relay.New(a.Config.Relay, a.deps(), needs))
}

// peers are Prompt Relay's own devices, those that are written down before those
// that were found.
func (a *app) peers() {
	c := a.Config.Relay
	var known []relaypeer.Device
	for _, p := range c.Peer {
		d := relaypeer.Device{Name: p.Name, URL: p.URL, ReadOnly: p.ReadOnly, AtOnce: p.AtOnce}
		if p.KeyFile != "" {
			key, err := adapter.Secret(p.KeyFile)
			if err != nil {
				a.Log.Error("a device of Prompt Relay is left out: its key cannot be read", "device", p.Name, "err", err)
				continue
			}
			d.Key = key
		}
		known = append(known, d)
	}
	finder := &relaypeer.Finder{Answer: c.Found == "answer"}
	if c.Found != "off" {
		a.run = append(a.run, func(ctx context.Context) {
			if err := finder.Run(ctx); err != nil && ctx.Err() == nil {
				a.Log.Warn("devices cannot be found here", "err", err)
			}
		})
	}
	if len(known) == 0 && c.Found == "off" {
		return
	}
	s := relaypeer.New(relaypeer.Options{
		Hub: a.hub, Devices: func() []relaypeer.Device { return append(slices.Clone(known), finder.Devices()...) },
		Proof: a.Config.Passkey.Required, Say: words.For(os.Getenv), Now: time.Now, Log: a.Log,
	})
	a.run = append(a.run, s.Run)
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
