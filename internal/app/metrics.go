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
func (h *house) metrics() []httpd.Route {
	o := metrics.Options{Hub: h.hub, Meter: h.meter, Version: h.Version, Started: h.started, Now: time.Now, Log: h.Log, Uplink: h.linkUp}
	if bus := h.mqtt; bus != nil {
		up := new(atomic.Bool)
		o.MQTT = up.Load
		h.run = append(h.run, func(ctx context.Context) {
			bus.Watch(ctx, up.Store)
			<-ctx.Done()
		})
	}
	s := metrics.New(o)
	h.run = append(h.run, s.Run)
	return s.Routes()
}
