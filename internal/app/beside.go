package app

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// listener is an address beside the hub's own that is open.
type listener struct {
	adapter.Listener
	server *httpd.Server
}

// listenBeside opens the addresses of adapters that have some, and serves them until
// the run ends.
func (a *app) listenBeside(ctx context.Context) error {
	for i := range a.listeners {
		l := &a.listeners[i]
		c := httpd.Config{Handler: l.Handler, Listen: l.Address, Hosts: slices.Concat(a.Config.Hosts, l.Hosts), InsecureHTTP: a.InsecureHTTP || l.Plain, Log: a.Log}
		if !l.Plain {
			c = a.secure(c)
		}
		server, err := httpd.Listen(ctx, c)
		if err != nil {
			return nod.Errorf(nod.CodeOf(err), "%s: %s", l.Setting, nod.MessageOf(err)).Because(err)
		}
		l.server = server
		a.run = append(a.run, func(ctx context.Context) {
			if err := server.Serve(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) && ctx.Err() == nil {
				a.Log.Error("an address is not served any more", "setting", l.Setting, "listen", l.Address, "err", err)
			}
		})
	}
	return nil
}
