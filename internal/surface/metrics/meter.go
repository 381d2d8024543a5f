package metrics

import (
	"io"
	"time"

	"nod"
	"nod/internal/hub"
)

// Meter is what is counted as it happens. It is there before the hub is, which
// tells it of its commits.
type Meter struct {
	raised, settled, withdrawn, receipts, events, refused *family // by the log: the same at every hub

	shown, decided, delivered, applied *family

	commit, batch, conflicts, unknown, storeErrors *family // of this hub alone
}

// In seconds: how quick people are, and how quick machines.
var (
	people   = []float64{.1, .25, .5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3600, 14400}
	machines = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	sizes    = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
)

var kinds = []nod.RequestKind{nod.KindApproval, nod.KindQuestion, nod.KindPlan, nod.KindElicitation}

// NewMeter is one at zero.
func NewMeter() *Meter {
	m := &Meter{
		raised:    newFamily("counter", "nod_requests_raised_total", "Requests that agents raised."),
		settled:   newFamily("counter", "nod_requests_settled_total", "Requests that came to an end, and by which door."),
		withdrawn: newFamily("counter", "nod_requests_withdrawn_total", "Requests that needed no answer any more, and why."),
		receipts:  newFamily("counter", "nod_receipts_total", "Steps that were confirmed: told, shown, delivered, applied, doubted, overruled."),
		events:    newFamily("counter", "nod_log_events_total", "Facts that came into the log since this hub started."),
		refused:   newFamily("counter", "nod_access_refused_total", "Attempts to do what one may not."),

		shown:     newFamily("histogram", "nod_request_shown_seconds", "From raised until a device drew it, for the first time.", machines...),
		decided:   newFamily("histogram", "nod_request_decided_seconds", "From raised to decided.", people...),
		delivered: newFamily("histogram", "nod_request_delivered_seconds", "From decided until the agent had it.", machines...),
		applied:   newFamily("histogram", "nod_request_applied_seconds", "From delivered until the agent showed that it did so.", machines...),

		commit:      newFamily("histogram", "nod_commit_seconds", "How long a commit of this hub took, planning anew included.", machines...),
		batch:       newFamily("histogram", "nod_commit_events", "Facts of one commit.", sizes...),
		conflicts:   newFamily("counter", "nod_commit_conflicts_total", "How often another hub was first, and a commit was planned anew."),
		unknown:     newFamily("counter", "nod_commit_unknown_total", "How often the store did not say what became of a commit, and the hub had to find out."),
		storeErrors: newFamily("counter", "nod_store_errors_total", "Commits and looks at the log that failed."),
	}
	m.zero()
	return m
}

// zero shows what will be counted before it happens: a rate needs the zero before
// the first one.
func (m *Meter) zero() {
	for _, f := range []*family{m.conflicts, m.unknown, m.storeErrors, m.refused} {
		f.add(0)
	}
	for _, kind := range kinds {
		m.raised.add(0, "kind", string(kind))
	}
	for _, step := range []nod.Step{nod.StepTold, nod.StepShown, nod.StepDelivered, nod.StepApplied, nod.StepDoubted, nod.StepOverruled} {
		m.receipts.add(0, "step", string(step))
	}
	for _, f := range []*family{m.shown, m.delivered, m.applied, m.commit, m.batch} {
		f.expect()
	}
	for _, by := range []string{person, nod.ViaPolicy, nod.ViaLease} {
		m.decided.expect("by", by)
	}
}

// Commit is for hub.Options.Count.
func (m *Meter) Commit(c hub.Commit) {
	m.conflicts.add(c.Beaten)
	m.unknown.add(c.Unknown)
	if c.Err != nil {
		m.storeErrors.inc()
	}
	if c.Commands > 0 {
		m.commit.observe(c.Took.Seconds())
	}
	if c.Events > 0 {
		m.batch.observe(float64(c.Events))
	}
}

func (m *Meter) write(w io.Writer) {
	for _, f := range []*family{
		m.raised, m.settled, m.withdrawn, m.receipts, m.events, m.refused, m.shown, m.decided, m.delivered, m.applied,
		m.commit, m.batch, m.conflicts, m.unknown, m.storeErrors,
	} {
		f.write(w)
	}
}

// since observes the time between two facts, if both are known.
func since(f *family, from, to time.Time, labels ...string) {
	if !from.IsZero() && !to.IsZero() {
		f.observe(to.Sub(from).Seconds(), labels...)
	}
}
