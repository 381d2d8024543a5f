// Package metrics exposes the hub's numbers to Prometheus. Most of them come from
// the log, by a follower like any other.
package metrics

import (
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// path is the only endpoint.
const path = "/metrics"

// Needs is what the surface needs of others.
type Needs struct {
	Meter   *Meter // the one to which the hub reports its commits
	Started time.Time
}

// Surface serves the numbers.
type Surface struct {
	adapter.Deps
	Needs
	requests map[nod.RequestID]*progress // used by the follower alone
	order    []nod.RequestID             // oldest first
}

// New returns a surface; Run must run beside its routes.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{Deps: d, Needs: n}
}

// Routes are the endpoints of the surface.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{{Method: "GET", Path: path, Right: nod.View, What: "read the metrics", Handle: s.serve}}
}

// Trusted are networks from which a scraper needs no token; it sees numbers and
// nothing else.
func Trusted(networks []netip.Prefix) httpd.Trust {
	return httpd.Trust{Networks: networks, Paths: func(p string) bool { return p == path }, Name: "a scraper of metrics", Via: "metrics"}
}

func (s *Surface) serve(w http.ResponseWriter, r *http.Request) error {
	all := prometheus.Gatherers{s.Meter.registry, s.gauges(r.Context())}
	promhttp.HandlerFor(all, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError,
	}).ServeHTTP(w, r)
	return nil
}
