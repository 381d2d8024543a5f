package app

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/surface/metrics"
)

// opened is what the opened adapters contribute to the hub.
type opened struct {
	meter     *metrics.Meter
	routes    []httpd.Route
	wrappers  []adapter.Wrapper
	listeners []listener
	workers   []func(context.Context) // they run beside the server
	healthy   []healthy
}

// listener is an address beside the hub's own; server is nil until it is open.
type listener struct {
	adapter.Listener
	server *httpd.Server
}

// healthy is an adapter that knows how it is, and its section of nod.toml.
type healthy struct {
	section string
	adapter.Healthy
}

// use takes what an adapter can do: serve, listen, run beside the server, say how it is.
func (o *opened) use(section string, one any) {
	if r, ok := one.(adapter.Router); ok {
		o.routes = append(o.routes, r.Routes()...)
	}
	if w, ok := one.(adapter.Wrapper); ok {
		o.wrappers = append(o.wrappers, w)
	}
	if l, ok := one.(adapter.Listening); ok {
		for _, one := range l.Listeners() {
			o.listeners = append(o.listeners, listener{Listener: one})
		}
	}
	if w, ok := one.(adapter.Worker); ok {
		o.workers = append(o.workers, w.Run)
	}
	if h, ok := one.(adapter.Healthy); ok {
		o.healthy = append(o.healthy, healthy{section, h})
	}
	if m, ok := one.(adapter.Measured); ok {
		o.meter.Add(m.Metrics()...)
	}
}

// handler serves the routes of all adapters.
func (o *opened) handler(mux http.Handler) http.Handler {
	for _, w := range o.wrappers {
		mux = w.Middleware(mux)
	}
	return mux
}

// listen opens the adapters' own addresses with the settings of the hub's. secure adds
// TLS to those that want it.
func (o *opened) listen(ctx context.Context, hub httpd.Config, secure func(httpd.Config) httpd.Config) error {
	for i := range o.listeners {
		l := &o.listeners[i]
		c := httpd.Config{Handler: l.Handler, Listen: l.Address, Hosts: slices.Concat(hub.Hosts, l.Hosts), InsecureHTTP: hub.InsecureHTTP || l.Plain, Log: hub.Log}
		if !l.Plain {
			c = secure(c)
		}
		server, err := httpd.Listen(ctx, c)
		if err != nil {
			return nod.Errorf(nod.CodeOf(err), "%s: %s", l.Setting, nod.MessageOf(err)).Because(err)
		}
		l.server = server
		o.workers = append(o.workers, func(ctx context.Context) {
			if err := server.Serve(ctx); err != nil && !errors.Is(err, http.ErrServerClosed) && ctx.Err() == nil {
				hub.Log.Error("an address is not served any more", "setting", l.Setting, "listen", l.Address, "err", err)
			}
		})
	}
	return nil
}

// run runs the workers until ctx ends.
func (o *opened) run(ctx context.Context) {
	var all sync.WaitGroup
	for _, run := range o.workers {
		all.Go(func() { run(ctx) })
	}
	all.Wait()
}

// problems are what is wrong with the adapters now.
func (o *opened) problems() (list []v1.Problem) {
	for _, one := range o.healthy {
		if err := one.Health(); err != nil {
			list = append(list, v1.Problem{Adapter: one.section, Text: nod.MessageOf(err)})
		}
	}
	return list
}
