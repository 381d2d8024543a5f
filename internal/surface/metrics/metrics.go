// Package metrics is what the hub knows in numbers, for Prometheus. Most of it
// is read off the log, by a follower like any other.
package metrics

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// path is the one door.
const path = "/metrics"

// Options is what the surface is built on.
type Options struct {
	Hub     *hub.Hub
	Meter   *Meter // the one that the hub tells of its commits
	Version string
	Started time.Time
	Now     func() time.Time
	Log     *slog.Logger
	MQTT    func() bool // whether the broker is there; nil: there shall be none
	Uplink  func() bool // whether the hub elsewhere is there; nil: there shall be none
}

// Surface shows the numbers.
type Surface struct {
	Options
	courses map[nod.RequestID]*course // the follower's
	order   []nod.RequestID           // oldest first
}

// New makes it; Run must run beside its routes.
func New(o Options) *Surface { return &Surface{Options: o} }

// Routes are the doors of the surface.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{{Method: "GET", Path: path, Right: nod.View, What: "read the metrics", Handle: s.show}}
}

// Trusted are networks from which a scraper needs no token; it sees numbers and
// nothing else.
func Trusted(networks []netip.Prefix) httpd.Trust {
	return httpd.Trust{Networks: networks, Paths: func(p string) bool { return p == path }, Name: "a scraper of metrics", Via: "metrics"}
}

func (s *Surface) show(w http.ResponseWriter, r *http.Request) error {
	var b bytes.Buffer
	s.Meter.write(&b)
	s.gauges(r.Context(), &b)
	ofThisProcess(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes())
	return nil
}

// gauges are looked up: they say what is now.
func (s *Surface) gauges(ctx context.Context, w io.Writer) {
	pending := newGauge("nod_pending_requests", "Requests that wait for an answer.")
	oldest := newGauge("nod_pending_oldest_seconds", "How long the oldest of them has waited.")
	agents := newGauge("nod_agents", "Agents that run, by state and host.")
	hosts := newGauge("nod_host_up", "Linked machines: 1 while their link is up.")
	leases := newGauge("nod_leases", "Leases that live.")
	messages := newGauge("nod_messages_underway", "Words on their way to an agent.")
	head := newGauge("nod_log_seq", "The newest fact that this hub knows.")
	c := s.census()
	for _, kind := range kinds {
		pending.plus(0, "kind", string(kind))
	}
	for kind, n := range c.pending {
		pending.plus(float64(n), "kind", string(kind))
	}
	for _, a := range slices.SortedFunc(maps.Keys(c.agents), whereabouts.compare) { // in order, so that the same ones have a label of their own every time
		agents.plus(float64(c.agents[a]), "state", string(a.state), "host", a.host)
	}
	for _, h := range c.hosts {
		hosts.plus(number(h.Up), "host", h.Name)
	}
	oldest.plus(c.waited.Seconds())
	messages.plus(float64(c.messages))
	leases.plus(float64(c.leases))
	head.plus(float64(c.head))
	for _, g := range append([]gauge{pending, oldest, agents, hosts, leases, messages, head}, s.ofThisHub(ctx)...) {
		g.write(w)
	}
}

// ofThisHub is what differs from hub to hub.
func (s *Surface) ofThisHub(ctx context.Context) []gauge {
	one := func(name, help string, value float64, labels ...string) gauge {
		g := newGauge(name, help)
		g.plus(value, labels...)
		return g
	}
	list := []gauge{
		one("nod_hub_info", "Version and name of this hub.", 1, "version", s.Version, "hub", s.Hub.Name()),
		one("nod_start_time_seconds", "When this hub started.", float64(s.Started.Unix())),
		one("nod_ready", "1 while the store answers and this hub knows what is in it.", number(s.Hub.Ready(ctx) == nil)),
		one("nod_followers", "Whoever follows the log at this hub, the hub's own parts included.", float64(s.Hub.Followers())),
		one("nod_viewers", "Doors that follow the log and could answer; all at other hubs count as one.", float64(s.Hub.Viewers())),
		one("nod_sse_streams", "Open event streams of this hub.", float64(httpd.Streams(ctx))),
	}
	if s.MQTT != nil {
		list = append(list, one("nod_mqtt_connected", "1 while the MQTT broker is there.", number(s.MQTT())))
	}
	if s.Uplink != nil {
		list = append(list, one("nod_uplink_up", "1 while the hub elsewhere, to which this machine is linked, is there.", number(s.Uplink())))
	}
	return list
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
