package metrics

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"

	vm "github.com/VictoriaMetrics/metrics"

	"nod"
)

// family is all numbers of one name.
type family struct {
	name, kind, help string
	set              *vm.Set
	bounds           []float64 // of a histogram

	mu     sync.Mutex
	values map[string]map[string]string // of each label: those that were seen, and how they are written
}

// Much of what stands in labels was chosen by somebody else, and a label with
// ever new values would fill the memory of hub and Prometheus alike.
const (
	mostValues = 100
	mostLength = 60
	other      = "other"
)

func newFamily(kind, name, help string, bounds ...float64) *family {
	return &family{name: name, kind: kind, help: help, set: vm.NewSet(), bounds: bounds, values: map[string]map[string]string{}}
}

// inc counts one; labels are names and values in turn.
func (f *family) inc(labels ...string) { f.set.GetOrCreateCounter(f.series(labels)).Inc() }

func (f *family) add(n int, labels ...string) {
	f.set.GetOrCreateCounter(f.series(labels)).Add(n)
}

// observe puts a value into a histogram.
func (f *family) observe(v float64, labels ...string) {
	f.set.GetOrCreatePrometheusHistogramExt(f.series(labels), f.bounds).Update(max(v, 0))
}

// expect shows a histogram before anything was put into it.
func (f *family) expect(labels ...string) {
	f.set.GetOrCreatePrometheusHistogramExt(f.series(labels), f.bounds)
}

// series is the name with its labels.
func (f *family) series(labels []string) string {
	if len(labels) == 0 {
		return f.name
	}
	var b strings.Builder
	b.WriteString(f.name)
	for i, open := 0, "{"; i < len(labels); i, open = i+2, "," {
		b.WriteString(open)
		b.WriteString(labels[i])
		b.WriteString(`="`)
		b.WriteString(f.bounded(labels[i], labels[i+1]))
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}

// bounded is a value as it may stand in a label.
func (f *family) bounded(label, value string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := f.values[label]
	if seen == nil {
		seen = map[string]string{}
		f.values[label] = seen
	}
	safe, known := seen[value]
	switch {
	case known:
		return safe
	case len(seen) >= mostValues:
		return other
	}
	safe = quoted(nod.Fold(nod.OneLine(value), mostLength))
	seen[strings.Clone(value)] = safe // not a part of somebody's megabyte
	return safe
}

func quoted(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// write is the family in the text format of Prometheus.
func (f *family) write(w io.Writer) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
	f.set.WritePrometheus(w)
}

// gauge writes numbers that are looked up when somebody asks.
type gauge struct {
	*family
	of map[string]float64
}

func newGauge(name, help string) gauge {
	return gauge{newFamily("gauge", name, help), map[string]float64{}}
}

func (g gauge) plus(v float64, labels ...string) { g.of[g.series(labels)] += v }

func (g gauge) write(w io.Writer) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", g.name, g.help, g.name, g.kind)
	names := make([]string, 0, len(g.of))
	for name := range g.of {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(w, "%s %v\n", name, g.of[name])
	}
}
