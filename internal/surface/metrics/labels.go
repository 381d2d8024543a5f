package metrics

import (
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"nod"
)

// Agents and devices choose much of what ends up in labels. A label with an
// endless supply of values would fill the memory of the hub and of Prometheus.
const (
	maxLabelValues = 100
	maxLabelLength = 60
	otherValue     = "other"
)

// limiter maps raw values to label values that are short, printable and few.
type limiter struct {
	mu   sync.Mutex
	seen []map[string]string // for each label: raw value to label value
}

func newLimiter(labels []string) *limiter {
	l := &limiter{seen: make([]map[string]string, len(labels))}
	for i := range l.seen {
		l.seen[i] = map[string]string{}
	}
	return l
}

// limit returns one label value for each raw value, in the same order.
func (l *limiter) limit(raw []string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	values := make([]string, len(raw))
	for i, v := range raw {
		seen := l.seen[i]
		value, known := seen[v]
		switch {
		case known:
		case len(seen) >= maxLabelValues:
			value = otherValue
		default:
			value = nod.Fold(nod.OneLine(v), maxLabelLength)
			seen[strings.Clone(v)] = value // v may be a slice of a much larger string
		}
		values[i] = value
	}
	return values
}

// counter is a CounterVec whose label values are limited.
type counter struct {
	*prometheus.CounterVec
	labels *limiter
}

func newCounter(r prometheus.Registerer, name, help string, labels ...string) counter {
	c := counter{prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels), newLimiter(labels)}
	r.MustRegister(c)
	return c
}

func (c counter) inc(labels ...string) { c.add(1, labels...) }

// add with n = 0 exposes the series before anything was counted.
func (c counter) add(n int, labels ...string) {
	c.WithLabelValues(c.labels.limit(labels)...).Add(float64(max(n, 0)))
}

// gauge is a GaugeVec whose label values are limited.
type gauge struct {
	*prometheus.GaugeVec
	labels *limiter
}

func newGauge(r prometheus.Registerer, name, help string, labels ...string) gauge {
	g := gauge{prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels), newLimiter(labels)}
	r.MustRegister(g)
	return g
}

func (g gauge) add(v float64, labels ...string) {
	g.WithLabelValues(g.labels.limit(labels)...).Add(v)
}
