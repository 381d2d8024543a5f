package app

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"nod"
	"nod/internal/net/httpd"
)

// listenBeside opens the further addresses of surfaces that have some.
func (a *app) listenBeside(ctx context.Context) error {
	for _, address := range a.Config.Relay.Listen {
		if err := a.beside(ctx, "relay.listen", a.secure(httpd.Config{Handler: a.relays.Handler(), Listen: address, Hosts: a.Config.Hosts, InsecureHTTP: a.InsecureHTTP})); err != nil {
			return err
		}
	}
	for _, address := range a.Config.Keyboard.Listen {
		// The firmware speaks no TLS and shows no token: what it may do rests on its
		// admission, and what takes a token should be asked on the hub's own port.
		hosts := append(slices.Clone(a.Config.Hosts), "tkeyboard-bridge.local", "tkeyboard-mcp.local")
		if err := a.beside(ctx, "keyboard.listen", httpd.Config{Handler: a.keys.Handler(), Listen: address, Hosts: hosts, InsecureHTTP: true}); err != nil {
			return err
		}
	}
	return nil
}

// beside serves one more address until ctx ends.
func (a *app) beside(ctx context.Context, key string, c httpd.Config) error {
	c.Log = a.Log
	server, err := httpd.Listen(ctx, c)
	if err != nil {
		return nod.Errorf(nod.CodeOf(err), "%s: %s", key, nod.MessageOf(err)).Because(err)
	}
	a.further = append(a.further, further{key, server})
	a.run = append(a.run, func(ctx context.Context) {
		if err := server.Serve(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) && ctx.Err() == nil {
			a.Log.Error("an address is not served any more", "setting", key, "listen", c.Listen, "err", err)
		}
	})
	return nil
}

// further is an address beside the hub's own, and the setting it comes from.
type further struct {
	key    string
	server *httpd.Server
}
