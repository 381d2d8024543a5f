package app

import (
	"reflect"
	"sync"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/surface/api"
)

// use lets an adapter do what it can: serve, run beside the server, say how it is.
// name is its section of nod.toml.
func (h *house) use(name string, a any) []httpd.Route {
	if w, ok := a.(adapter.Worker); ok {
		h.run = append(h.run, w.Run)
	}
	if one, ok := a.(adapter.Healthy); ok {
		h.health.add(name, one)
	}
	if r, ok := a.(adapter.Router); ok {
		return r.Routes()
	}
	return nil
}

// openPlain opens the adapters that need nothing but their section and Deps: a field
// of Config is all that they have here.
func (h *house) openPlain() (routes []httpd.Route, err error) {
	for f, section := range reflect.ValueOf(h.Config).Fields() {
		o, ok := section.Interface().(adapter.Opener)
		if !ok {
			continue
		}
		a, err := o.Open(h.deps())
		if err != nil {
			return nil, err
		}
		routes = append(routes, h.use(f.Tag.Get("toml"), a)...)
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
func (h *health) problems() (list []api.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range h.names {
		if err := h.of[name].Health(); err != nil {
			list = append(list, api.Problem{Adapter: name, Text: nod.MessageOf(err)})
		}
	}
	return list
}
