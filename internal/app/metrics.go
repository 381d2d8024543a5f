package app

import (
	"nod/internal/net/httpd"
	"nod/internal/surface/metrics"
)

// metrics are what the hub knows in numbers.
func (a *app) metrics() []httpd.Route {
	return a.use("metrics", metrics.New(a.deps(), metrics.Needs{Meter: a.meter, Started: a.started}))
}
