package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"nod"
	"nod/internal/hub"
)

// Meter holds what is counted as it happens. It exists before the hub does, and
// the hub reports its commits to it.
type Meter struct {
	registry *prometheus.Registry

	raised, settled, withdrawn, receipts, events, refused counter // from the log: the same at every hub

	decided                   *prometheus.HistogramVec
	shown, delivered, applied prometheus.Histogram

	commit, batch                   prometheus.Histogram // of this hub alone
	conflicts, unknown, storeErrors counter
}

// Bucket bounds: reaction times of people and of machines in seconds, and events
// in a commit.
var (
	people   = []float64{.1, .25, .5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3600, 14400}
	machines = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	sizes    = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
)

var kinds = []nod.RequestKind{nod.KindApproval, nod.KindQuestion, nod.KindPlan, nod.KindElicitation}

// NewMeter returns a Meter that has counted nothing yet.
func NewMeter() *Meter {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "go_gc_cycles_total", Help: "Collections of garbage."}, gcCycles),
	)
	histogram := func(name, help string, bounds []float64) prometheus.Histogram {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds})
		r.MustRegister(h)
		return h
	}
	m := &Meter{
		registry: r,

		raised:    newCounter(r, "nod_requests_raised_total", "Requests that agents raised.", "kind"),
		settled:   newCounter(r, "nod_requests_settled_total", "Requests that came to an end, and by which door.", "kind", "status", "verdict", "door"),
		withdrawn: newCounter(r, "nod_requests_withdrawn_total", "Requests that needed no answer any more, and why.", "reason"),
		receipts:  newCounter(r, "nod_receipts_total", "Steps that were confirmed: told, shown, delivered, applied, doubted, overruled.", "step"),
		events:    newCounter(r, "nod_log_events_total", "Facts that came into the log since this hub started.", "kind"),
		refused:   newCounter(r, "nod_access_refused_total", "Attempts to do what one may not."),

		decided:   prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "nod_request_decided_seconds", Help: "From raised to decided.", Buckets: people}, []string{"by"}),
		shown:     histogram("nod_request_shown_seconds", "From raised until a device drew it, for the first time.", machines),
		delivered: histogram("nod_request_delivered_seconds", "From decided until the agent had it.", machines),
		applied:   histogram("nod_request_applied_seconds", "From delivered until the agent showed that it did so.", machines),

		commit:      histogram("nod_commit_seconds", "How long a commit of this hub took, planning anew included.", machines),
		batch:       histogram("nod_commit_events", "Facts of one commit.", sizes),
		conflicts:   newCounter(r, "nod_commit_conflicts_total", "How often another hub was first, and a commit was planned anew."),
		unknown:     newCounter(r, "nod_commit_unknown_total", "How often the store did not say what became of a commit, and the hub had to find out."),
		storeErrors: newCounter(r, "nod_store_errors_total", "Commits and looks at the log that failed."),
	}
	r.MustRegister(m.decided)
	m.exposeZeros()
	return m
}

// exposeZeros shows series before their first event: a rate needs the zero that
// comes before the first one.
func (m *Meter) exposeZeros() {
	for _, c := range []counter{m.conflicts, m.unknown, m.storeErrors, m.refused} {
		c.add(0)
	}
	for _, kind := range kinds {
		m.raised.add(0, string(kind))
	}
	for _, step := range []nod.Step{nod.StepTold, nod.StepShown, nod.StepDelivered, nod.StepApplied, nod.StepDoubted, nod.StepOverruled} {
		m.receipts.add(0, string(step))
	}
	for _, by := range []string{person, nod.ViaPolicy, nod.ViaLease} {
		m.decided.WithLabelValues(by)
	}
}

// Add exposes what adapters measure themselves.
func (m *Meter) Add(all ...prometheus.Collector) { m.registry.MustRegister(all...) }

// Commit is for hub.Options.Count.
func (m *Meter) Commit(c hub.Commit) {
	m.conflicts.add(c.Beaten)
	m.unknown.add(c.Unknown)
	if c.Err != nil {
		m.storeErrors.inc()
	}
	if c.Commands > 0 {
		m.commit.Observe(c.Took.Seconds())
	}
	if c.Events > 0 {
		m.batch.Observe(float64(c.Events))
	}
}

// since observes the time between two events, if both times are known.
func since(h prometheus.Observer, from, to time.Time) {
	if !from.IsZero() && !to.IsZero() {
		h.Observe(max(to.Sub(from).Seconds(), 0))
	}
}
