package metrics

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"nod"
)

// family is all numbers of one name.
type family struct {
	name, kind, help string
	bounds           []float64 // of a histogram

	mu     sync.Mutex
	counts map[string]uint64            // by labels
	spread map[string]*histogram        // by labels
	values map[string]map[string]string // of each label: those that were seen, and how they are written
}

// histogram counts values by the first bound that they do not exceed; the last
// count is for those above all.
type histogram struct {
	counts []uint64
	sum    float64
}

// Much of what stands in labels was chosen by somebody else, and a label with
// ever new values would fill the memory of hub and Prometheus alike.
const (
	mostValues = 100
	mostLength = 60
	other      = "other"
)

func newFamily(kind, name, help string, bounds ...float64) *family {
	return &family{
		name: name, kind: kind, help: help, bounds: bounds,
		counts: map[string]uint64{}, spread: map[string]*histogram{}, values: map[string]map[string]string{},
	}
}

// inc counts one; labels are names and values in turn.
func (f *family) inc(labels ...string) { f.add(1, labels...) }

func (f *family) add(n int, labels ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[f.series(labels)] += uint64(max(n, 0))
}

// observe puts a value into a histogram.
func (f *family) observe(v float64, labels ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.histogram(labels)
	h.counts[sort.SearchFloat64s(f.bounds, max(v, 0))]++
	h.sum += max(v, 0)
}

// expect shows a histogram before anything was put into it.
func (f *family) expect(labels ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.histogram(labels)
}

// histogram is the one with these labels. The lock is held.
func (f *family) histogram(labels []string) *histogram {
	at := f.series(labels)
	h := f.spread[at]
	if h == nil {
		h = &histogram{counts: make([]uint64, len(f.bounds)+1)}
		f.spread[at] = h
	}
	return h
}

// series is the labels as they are written, without the brackets. The lock is held.
func (f *family) series(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	var b strings.Builder
	for i, comma := 0, ""; i < len(labels); i, comma = i+2, "," {
		b.WriteString(comma)
		b.WriteString(labels[i])
		b.WriteString(`="`)
		b.WriteString(f.bounded(labels[i], labels[i+1]))
		b.WriteByte('"')
	}
	return b.String()
}

// bounded is a value as it may stand in a label. The lock is held.
func (f *family) bounded(label, value string) string {
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
	f.mu.Lock()
	defer f.mu.Unlock()
	f.title(w)
	for _, at := range slices.Sorted(maps.Keys(f.counts)) {
		line(w, f.name, at, "", float64(f.counts[at]))
	}
	for _, at := range slices.Sorted(maps.Keys(f.spread)) {
		h, below := f.spread[at], uint64(0)
		for i, n := range h.counts {
			bound := "+Inf"
			if i < len(f.bounds) {
				bound = strconv.FormatFloat(f.bounds[i], 'g', -1, 64)
			}
			below += n
			line(w, f.name+"_bucket", at, bound, float64(below))
		}
		line(w, f.name+"_sum", at, "", h.sum)
		line(w, f.name+"_count", at, "", float64(below))
	}
}

func (f *family) title(w io.Writer) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
}

// line is one number; le is the bound of a bucket.
func line(w io.Writer, name, labels, le string, value float64) {
	if le != "" {
		if labels != "" {
			labels += ","
		}
		labels += `le="` + le + `"`
	}
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(w, "%s%s %s\n", name, labels, strconv.FormatFloat(value, 'g', -1, 64))
}

// gauge writes numbers that are looked up when somebody asks.
type gauge struct {
	*family
	of map[string]float64
}

func newGauge(name, help string) gauge {
	return gauge{newFamily("gauge", name, help), map[string]float64{}}
}

func (g gauge) plus(v float64, labels ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.of[g.series(labels)] += v
}

func (g gauge) write(w io.Writer) {
	g.title(w)
	for _, at := range slices.Sorted(maps.Keys(g.of)) {
		line(w, g.name, at, "", g.of[at])
	}
}
