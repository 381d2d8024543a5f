package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// table is what all benchmarks found, for the end: the lines of a single
// benchmark are cut off after ten.
var table strings.Builder

func printTable() {
	if table.Len() > 0 {
		fmt.Print("\n", table.String(), "\n")
	}
}

// heading begins the figures of a benchmark.
func heading(b *testing.B, text string) {
	b.ReportMetric(0, "ns/op") // the time of the whole says nothing
	fmt.Fprintf(&table, "\n%s\n", text)
}

// tell is a line for information.
func tell(format string, args ...any) { fmt.Fprintf(&table, "  "+format+"\n", args...) }

// target is what was promised, as information: a miss fails nothing.
type target struct {
	least bool // the figure should be at least, rather than at most
	value float64
}

func atMost(v float64) target  { return target{value: v} }
func atLeast(v float64) target { return target{least: true, value: v} }

func (t target) verdict(got float64) string {
	sign, met := "≤", got <= t.value
	if t.least {
		sign, met = "≥", got >= t.value
	}
	if met {
		return fmt.Sprintf("target %s %g: met", sign, t.value)
	}
	return fmt.Sprintf("target %s %g: missed", sign, t.value)
}

// within is the verdict about a figure that is only known to lie between two
// values: where the target lies between them too, this run cannot tell.
func (t target) within(low, got, high float64) string {
	if low <= t.value && t.value <= high {
		return strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(t.verdict(got), "met"), "missed"), " ") + " this run cannot tell"
	}
	return t.verdict(got)
}

// compare is a figure and its baseline. metric is its name for benchstat.
func compare(b *testing.B, metric, name, measured, baseline string, ratio float64, t target) {
	b.ReportMetric(ratio, metric)
	tell("%-58s %14s  against %-34s ratio %6.2f  %s", name, measured, baseline, ratio, t.verdict(ratio))
}

// absolute is a figure that is promised as such.
func absolute(b *testing.B, metric, name string, value float64, unit string, t target) {
	b.ReportMetric(value, metric)
	tell("%-58s %9.1f %-4s  %s", name, value, unit, t.verdict(value))
}

// sample is many measurements of one thing.
type sample []time.Duration

// at is a quantile: 0 the smallest, 0.5 the median, 1 the largest.
func (s sample) at(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(math.Round(q*float64(len(sorted)-1)))]
}

func (s sample) median() time.Duration { return s.at(0.5) }
func (s sample) min() time.Duration    { return s.at(0) }

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
