package app

import (
	"context"
	"encoding/json"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/apns"
	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/present/words"
	"nod/internal/surface/relay"
	"nod/internal/surface/relaypeer"
)

// relay speaks the wire of Prompt Relay, on the hub's own port and on others.
func (a *app) relay() []httpd.Route {
	c := a.Config.Relay
	o := relay.Options{
		Hub: a.hub, Keys: a.keeper, Tokens: a.store, Share: c.Share, AnyKey: c.AnyKey, Timeout: c.Timeout, Cleanup: c.Cleanup,
		MaxRooms: c.Rooms, Devices: filepath.Join(a.Data, "relay-devices.json"), Say: words.For(os.Getenv),
		VAPIDKey: a.pusher.Key, WebPush: a.pusher, Now: time.Now, Log: a.Log,
	}
	if a.Demo {
		o.Devices = ""
	}
	if a.ca != nil {
		o.CA = a.ca.PEM()
	}
	if sender, err := a.apple(); err != nil {
		a.Log.Error("Apple devices are not notified", "err", err)
	} else if sender != nil {
		o.APNs = apple{sender}
	}
	s := relay.New(o)
	a.run = append(a.run, s.Run)
	for _, address := range c.Listen {
		a.listeners = append(a.listeners, listener{Listener: adapter.Listener{Setting: "relay.listen", Address: address, Handler: s.Handler(), Service: "prompt-relay"}})
	}
	a.peers()
	return s.Routes()
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

// apple is the way to Apple devices, if there is a key for it.
func (a *app) apple() (*apns.Sender, error) {
	c := a.Config.Relay.APNs
	if c.KeyFile == "" {
		return nil, nil
	}
	key, err := os.ReadFile(c.KeyFile)
	if err != nil {
		return nil, err
	}
	return apns.New(apns.Config{Key: key, KeyID: c.KeyID, TeamID: c.TeamID, Bundle: c.Bundle, Production: c.Production, Now: time.Now})
}

// apple puts what the relay wants to tell into APNs' words.
type apple struct{ *apns.Sender }

func (a apple) Send(ctx context.Context, n relay.Notification) (gone bool, err error) {
	got := a.Sender.Send(ctx, apns.Device{Token: n.Token, Watch: n.Watch}, apns.Push{
		Background: n.Background, Collapse: n.CollapseID, Expires: n.Expires, Payload: json.RawMessage(n.Payload),
	})
	switch got.Outcome {
	case apns.Delivered:
		return false, nil
	case apns.Gone:
		return true, nil
	}
	return false, nod.Errorf(nod.Unavailable, "Apple said %s (%d)", got.Reason, got.Status)
}
