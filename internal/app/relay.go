package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"nod"
	"nod/internal/apns"
	"nod/internal/httpd"
	"nod/internal/surface/relay"
	"nod/internal/words"
)

// relay speaks the wire of Prompt Relay, on the hub's own port and on others.
func (h *house) relay() []httpd.Route {
	c := h.Config.Relay
	o := relay.Options{
		Hub: h.hub, Keys: h.keeper, Tokens: h.store, Share: c.Share, AnyKey: c.AnyKey, Timeout: c.Timeout, Cleanup: c.Cleanup,
		MaxRooms: c.Rooms, Devices: filepath.Join(h.Data, "relay-devices.json"), Say: words.For(os.Getenv),
		VAPIDKey: h.pusher.Key, WebPush: h.pusher, Now: time.Now, Log: h.Log,
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
	return s.Routes()
}

// listenBeside opens the further addresses of surfaces that have some.
func (h *house) listenBeside(ctx context.Context) error {
	for _, address := range h.Config.Relay.Listen {
		server, err := httpd.Listen(ctx, h.secure(httpd.Config{
			Handler: h.relays.Handler(), Listen: address, Hosts: h.Config.Hosts, InsecureHTTP: h.InsecureHTTP, Log: h.Log,
		}))
		if err != nil {
			return nod.Errorf(nod.CodeOf(err), "relay.listen: %s", nod.MessageOf(err)).Because(err)
		}
		h.beside = append(h.beside, server)
		h.run = append(h.run, func(ctx context.Context) {
			if err := server.Serve(ctx); err != nil && !errors.Is(err, context.Canceled) {
				h.Log.Error("an address is not served any more", "listen", address, "err", err)
			}
		})
	}
	return nil
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
