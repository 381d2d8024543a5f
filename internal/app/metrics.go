package app

import (
	"context"
	"sync/atomic"
	"time"

	"nod/internal/net/httpd"
	"nod/internal/surface/metrics"
)

// metrics are what the hub knows in numbers. It comes last, when it is known
// whether there is an MQTT broker.
func (a *app) metrics() []httpd.Route {
	o := metrics.Options{Hub: a.hub, Meter: a.meter, Version: a.Version, Started: a.started, Now: time.Now, Log: a.Log, Uplink: a.linkUp}
	if bus := a.mqtt; bus != nil {
		up := new(atomic.Bool)
		o.MQTT = up.Load
		a.run = append(a.run, func(ctx context.Context) {
			bus.Watch(ctx, up.Store)
			<-ctx.Done()
		})
	}
	s := metrics.New(o)
	a.run = append(a.run, s.Run)
	return s.Routes()
}
