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
func (h *house) listenBeside(ctx context.Context) error {
	for _, address := range h.Config.Relay.Listen {
		if err := h.beside(ctx, "relay.listen", h.secure(httpd.Config{Handler: h.relays.Handler(), Listen: address, Hosts: h.Config.Hosts, InsecureHTTP: h.InsecureHTTP})); err != nil {
			return err
		}
	}
	for _, address := range h.Config.Keyboard.Listen {
		// The firmware speaks no TLS and shows no token: what it may do rests on its
		// admission, and what takes a token should be asked on the hub's own port.
		hosts := append(slices.Clone(h.Config.Hosts), "tkeyboard-bridge.local", "tkeyboard-mcp.local")
		if err := h.beside(ctx, "keyboard.listen", httpd.Config{Handler: h.keys.Handler(), Listen: address, Hosts: hosts, InsecureHTTP: true}); err != nil {
			return err
		}
	}
	return nil
}

// beside serves one more address until the house ends.
func (h *house) beside(ctx context.Context, key string, c httpd.Config) error {
	c.Log = h.Log
	server, err := httpd.Listen(ctx, c)
	if err != nil {
		return nod.Errorf(nod.CodeOf(err), "%s: %s", key, nod.MessageOf(err)).Because(err)
	}
	h.further = append(h.further, further{key, server})
	h.run = append(h.run, func(ctx context.Context) {
		if err := server.Serve(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) && ctx.Err() == nil {
			h.Log.Error("an address is not served any more", "setting", key, "listen", c.Listen, "err", err)
		}
	})
	return nil
}

// further is an address beside the hub's own, and the setting it comes from.
type further struct {
	key    string
	server *httpd.Server
}
