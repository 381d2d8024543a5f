package app

import (
	"reflect"
	"sync"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// use lets an adapter do what it can: serve, listen, run beside the server, say how it is.
// name is its section of nod.toml.
func (a *app) use(name string, one any) []httpd.Route {
	if w, ok := one.(adapter.Worker); ok {
		a.run = append(a.run, w.Run)
	}
	if healthy, ok := one.(adapter.Healthy); ok {
		a.health.add(name, healthy)
	}
	if l, ok := one.(adapter.Listening); ok {
		for _, one := range l.Listeners() {
			a.listeners = append(a.listeners, listener{Listener: one})
		}
	}
	if m, ok := one.(adapter.Measured); ok {
		a.meter.Add(m.Metrics()...)
	}
	if r, ok := one.(adapter.Router); ok {
		return r.Routes()
	}
	return nil
}

// openPlain opens the adapters that need nothing but their section and Deps: a field
// of Config is all that they have here.
func (a *app) openPlain() (routes []httpd.Route, err error) {
	for f, section := range reflect.ValueOf(a.Config).Fields() {
		o, ok := section.Interface().(adapter.Opener)
		if !ok {
			continue
		}
		opened, err := o.Open(a.deps())
		if err != nil {
			return nil, err
		}
		routes = append(routes, a.use(f.Tag.Get("toml"), opened)...)
	}
	return routes, nil
}

// health asks adapters how they are.
type health struct {
	mu    sync.Mutex
	names []string
	of    map[string]adapter.Healthy
}

func (h *health) add(name string, one adapter.Healthy) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string]adapter.Healthy{}
	}
	h.names = append(h.names, name)
	h.of[name] = one
}

// problems are what is wrong now, in the order in which adapters were opened.
func (h *health) problems() (list []v1.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range h.names {
		if err := h.of[name].Health(); err != nil {
			list = append(list, v1.Problem{Adapter: name, Text: nod.MessageOf(err)})
		}
	}
	return list
}
