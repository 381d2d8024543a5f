// Package adapter says what every adapter is given and what it can have. An adapter
// connects the hub with agents or with people: a folder of internal/agent or
// internal/surface. It exports
//
//	type Config struct{ … }                       // its section of nod.toml, with toml tags, Defaults and Check
//	func New(c Config, d adapter.Deps) *Surface   // and, if it needs more, a third argument of its own type Needs
//
// and what New returns has whichever of the powers below it needs. app finds them by
// assertion. An adapter that needs nothing but Config and Deps has the method Open on
// its Config and is opened by its field in app.Config; others have a line in app's
// table, at any place.
package adapter

import (
	"context"
	"net/http"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"

	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Deps is what every adapter is given.
type Deps struct {
	hub.Deps               // Hub, Log, Now
	Data     string        // the data directory; empty: nothing is kept
	Version  string        // of nod
	Address  func() string // of the hub, as others call it; empty until it listens
	Say      words.Printer // the language of this machine
	Demo     bool          // every agent is made up, and there is no assistant to talk to
}

// File is where an adapter keeps a file of its own, or empty where nothing is kept.
func (d Deps) File(name string) string {
	if d.Data == "" {
		return ""
	}
	return filepath.Join(d.Data, name)
}

// The powers of adapters.
type (
	// Router has endpoints on the hub's own port.
	Router interface{ Routes() []httpd.Route }
	// Worker runs beside the server until ctx ends.
	Worker interface{ Run(ctx context.Context) }
	// Healthy says in words for a person what is wrong now: nil is well. `nod doctor`
	// prints it.
	Healthy interface{ Health() error }
	// Listening has endpoints on addresses of its own beside the hub's port.
	Listening interface{ Listeners() []Listener }
	// Wrapper serves some calls before the routes of the hub's own port see them.
	Wrapper interface {
		Middleware(next http.Handler) http.Handler
	}
	// Measured has numbers of its own for /metrics.
	Measured interface{ Metrics() []prometheus.Collector }
	// Opener is a Config whose adapter needs nothing but Deps.
	Opener interface{ Open(d Deps) (any, error) }
)

// Listener is one more address that the hub listens on.
type Listener struct {
	Setting string // of nod.toml: named when the address does not open
	Address string
	Handler http.Handler
	Hosts   []string // names that it is called by, beside the hub's own
	Plain   bool     // HTTP without TLS, even beyond this machine
	Service string   // the name under which it is announced in the network, as long as it is plain
}
