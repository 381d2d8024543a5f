package mqttd

import (
	"context"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// state is whether a connection is up, with notification of changes.
type state struct {
	mu      sync.Mutex
	up      bool
	turns   int // how often it came up
	changed chan struct{}
}

func newState() *state { return &state{changed: make(chan struct{})} }

func (s *state) set(up bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.up == up {
		return
	}
	s.up = up
	if up {
		s.turns++
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *state) get() (up bool, turns int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.up, s.turns, s.changed
}

// watch calls f with the state and with every change of it, until ctx ends.
func (s *state) watch(ctx context.Context, f func(up bool)) {
	last, lastTurns, changed := s.get()
	f(last)
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		up, turns, next := s.get()
		changed = next
		if ctx.Err() == nil && (up != last || turns != lastTurns) {
			f(up)
		}
		last, lastTurns = up, turns
	}
}

// metrics say whether the connection is up.
func (s *state) metrics() []prometheus.Collector {
	o := prometheus.GaugeOpts{Name: "nod_mqtt_connected", Help: "1 while the MQTT broker is there."}
	return []prometheus.Collector{prometheus.NewGaugeFunc(o, func() float64 {
		if up, _, _ := s.get(); up {
			return 1
		}
		return 0
	})}
}
