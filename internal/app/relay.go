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
	"nod/internal/net/apns"
	"nod/internal/net/httpd"
	"nod/internal/net/mdns"
	"nod/internal/present/words"
	"nod/internal/surface/relay"
	"nod/internal/surface/relaypeer"
)

// relay speaks the wire of Prompt Relay, on the hub's own port and on others.
func (h *house) relay() []httpd.Route {
	c := h.Config.Relay
	o := relay.Options{
		Hub: h.hub, Keys: h.keeper, Tokens: h.store, Share: c.Share, AnyKey: c.AnyKey, Timeout: c.Timeout, Cleanup: c.Cleanup,
		MaxRooms: c.Rooms, Devices: filepath.Join(h.Data, "relay-devices.json"), Say: words.For(os.Getenv),
		VAPIDKey: h.pusher.Key, WebPush: h.pusher, Now: time.Now, Log: h.Log,
	}
	if h.Demo {
		o.Devices = ""
	}
	if h.ca != nil {
		o.CA = h.ca.PEM()
	}
	if sender, err := h.apple(); err != nil {
		h.Log.Error("Apple devices are not notified", "err", err)
	} else if sender != nil {
		o.APNs = apple{sender}
	}
	s := relay.New(o)
	h.run = append(h.run, s.Run)
	h.relays = s
	h.peers()
	return s.Routes()
}

// peers are Prompt Relay's own devices, those that are written down before those
// that were found.
func (h *house) peers() {
	c := h.Config.Relay
	var known []relaypeer.Device
	for _, p := range c.Peer {
		d := relaypeer.Device{Name: p.Name, URL: p.URL, ReadOnly: p.ReadOnly, AtOnce: p.AtOnce}
		if p.KeyFile != "" {
			key, err := firstLine(p.KeyFile)
			if err != nil {
				h.Log.Error("a device of Prompt Relay is left out: its key cannot be read", "device", p.Name, "err", err)
				continue
			}
			d.Key = key
		}
		known = append(known, d)
	}
	finder := &relaypeer.Finder{Answer: c.Found == "answer"}
	if c.Found != "off" {
		h.run = append(h.run, func(ctx context.Context) {
			if err := finder.Run(ctx); err != nil && ctx.Err() == nil {
				h.Log.Warn("devices cannot be found here", "err", err)
			}
		})
	}
	if len(known) == 0 && c.Found == "off" {
		return
	}
	s := relaypeer.New(relaypeer.Options{
		Hub: h.hub, Devices: func() []relaypeer.Device { return append(slices.Clone(known), finder.Devices()...) },
		Proof: h.Config.Passkey.Required, Say: words.For(os.Getenv), Now: time.Now, Log: h.Log,
	})
	h.run = append(h.run, s.Run)
}

// announceSelf lets devices of the home network find the hub, where it listens
// beyond this machine.
func (h *house) announceSelf() {
	u, err := url.Parse(h.address)
	if err != nil || !h.Config.MDNS.Announce || h.Demo {
		return
	}
	ip, err := netip.ParseAddr(u.Hostname())
	port, _ := strconv.Atoi(u.Port())
	if err != nil || ip.IsLoopback() || port == 0 {
		return
	}
	self := mdns.Self{Host: hostname(), Version: h.Version, Port: port, TLS: u.Scheme == "https"}
	self.Also = map[string]int{}
	for _, f := range h.further {
		there, err := url.Parse(f.server.URL())
		if err != nil || there.Scheme != "http" {
			continue
		}
		port, _ := strconv.Atoi(there.Port())
		if f.key == "relay.listen" {
			self.Also["prompt-relay"] = port
		} else if _, taken := self.Also["tkeyboard-bridge"]; !taken {
			self.Also["tkeyboard-bridge"] = port
		} else {
			self.Also["tkeyboard-mcp"] = port
		}
	}
	h.run = append(h.run, func(ctx context.Context) {
		if err := mdns.Announce(ctx, self.Services()); err != nil && ctx.Err() == nil {
			h.Log.Warn("the hub cannot be announced in this network", "err", err)
		}
	})
}

// apple is the way to Apple devices, if there is a key for it.
func (h *house) apple() (*apns.Sender, error) {
	c := h.Config.Relay.APNs
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
