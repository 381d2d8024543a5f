package app

import (
	"context"
	"sync/atomic"

	"nod/internal/net/httpd"
	"nod/internal/surface/metrics"
)

// metrics are what the hub knows in numbers. It comes last: a broker is there only if
// an adapter wanted one.
func (a *app) metrics() []httpd.Route {
	n := metrics.Needs{Meter: a.meter, Started: a.started, Uplink: a.linkUp}
	if bus := a.mqtt; bus != nil {
		up := new(atomic.Bool)
		n.MQTT = up.Load
		a.run = append(a.run, func(ctx context.Context) {
			bus.Watch(ctx, up.Store)
			<-ctx.Done()
		})
	}
	return a.use("metrics", metrics.New(a.deps(), n))
}
