package metrics

import (
	"context"
	"log/slog"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// progress is when a request reached each step.
type progress struct {
	kind                              nod.RequestKind
	raised, shown, decided, delivered time.Time
}

// maxRequests is how many requests are remembered. The oldest are dropped: they are over,
// or were never answered.
const maxRequests = 10_000

// retryDelay is how long to wait before following the log again.
const retryDelay = time.Second

// Run follows the log until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "metrics", Via: "metrics", Rights: nod.RightsOf(nod.View)})
	for ctx.Err() == nil {
		for e, err := range desk.Follow(ctx, s.start()) {
			if err != nil {
				s.Log.Warn("the metrics lost the log; they go on from its end", "err", err)
				break
			}
			s.take(&e)
		}
		pause.For(ctx, retryDelay)
	}
}

// start returns where to follow from, which is the end of the log, and remembers
// the requests that are under way.
func (s *Surface) start() (at nod.Seq) {
	s.requests, s.order = map[nod.RequestID]*progress{}, nil
	s.Hub.Look(func(state *nod.State) {
		at = state.Seq
		for id, r := range state.Requests {
			c := s.remember(id, r.Kind, r.AskedAt)
			for _, step := range r.Receipts {
				c.note(step.Step, step.At)
			}
		}
	})
	return at
}

func (s *Surface) remember(id nod.RequestID, kind nod.RequestKind, at time.Time) *progress {
	c := &progress{kind: kind, raised: at}
	s.requests[id] = c
	if s.order = append(s.order, id); len(s.order) > maxRequests {
		delete(s.requests, s.order[0])
		s.order = s.order[1:]
	}
	return c
}

// note keeps the first time of each step.
func (c *progress) note(step nod.Step, at time.Time) (first bool) {
	var place *time.Time
	switch step {
	case nod.StepShown:
		place = &c.shown
	case nod.StepDecided:
		place = &c.decided
	case nod.StepDelivered:
		place = &c.delivered
	default:
		return false
	}
	if first = place.IsZero(); first {
		*place = at
	}
	return first
}

// take counts one event. If it is about a request it also goes to the program's
// log, so that a request can be traced through every hub by its id.
func (s *Surface) take(e *nod.Event) {
	m := s.Meter
	m.events.inc(string(e.Kind))
	if e.RequestID == "" {
		if e.Kind == nod.AccessRefused {
			m.refused.inc()
		}
		return
	}
	c := s.requests[e.RequestID]
	if c == nil {
		c = &progress{} // older than what is remembered, so no times are known
	}
	switch {
	case e.Kind == nod.RequestRaised && e.Request != nil:
		s.remember(e.RequestID, e.Request.Kind, e.At)
		m.raised.inc(string(e.Request.Kind))
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		d := e.Decision
		m.settled.inc(string(c.kind), string(nod.Decided), string(d.Verdict), d.Via)
		since(m.decided.WithLabelValues(whoDecided(d)), c.raised, e.At)
		c.note(nod.StepDecided, e.At)
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		m.settled.inc(string(c.kind), string(nod.Withdrawn), e.Withdrawal.Outcome, doorOf(e.Withdrawal.Reason))
		m.withdrawn.inc(string(e.Withdrawal.Reason))
	case e.Kind == nod.RequestExpired:
		m.settled.inc(string(c.kind), string(nod.Expired), "", "")
	case e.Kind == nod.RequestReceipt && e.Receipt != nil:
		s.receipt(c, e)
	}
	s.logStep(e)
}

func (s *Surface) receipt(c *progress, e *nod.Event) {
	m, step := s.Meter, e.Receipt.Step
	m.receipts.inc(string(step))
	switch first := c.note(step, e.At); {
	case step == nod.StepShown && first:
		since(m.shown, c.raised, e.At)
	case step == nod.StepDelivered && first:
		since(m.delivered, c.decided, e.At)
	case step == nod.StepApplied:
		since(m.applied, c.delivered, e.At)
	}
}

const person = "person"

func whoDecided(d *nod.Decision) string {
	switch d.Via {
	case nod.ViaPolicy, nod.ViaLease:
		return d.Via
	}
	return person
}

// doorOf names where a request was answered, if that is why it was withdrawn.
func doorOf(reason nod.WithdrawReason) string {
	if reason == nod.WithdrawnTerminal || reason == nod.WithdrawnHost {
		return string(reason)
	}
	return ""
}

// logStep writes down that a request went on. What it asks stays out: that may be
// secret, and others read the program's log.
func (s *Surface) logStep(e *nod.Event) {
	if !s.Log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	about := []any{"request", e.RequestID, "step", string(e.Kind), "seq", e.Seq, "agent", e.AgentID}
	switch {
	case e.Request != nil:
		about = append(about, "host", nod.OneLine(e.Request.Agent.Host), "tool", nod.OneLine(e.Request.Tool))
	case e.Decision != nil:
		about = append(about, "verdict", string(e.Decision.Verdict), "via", nod.OneLine(e.Decision.Via), "by", nod.OneLine(e.Decision.By))
	case e.Withdrawal != nil:
		about = append(about, "reason", string(e.Withdrawal.Reason))
	case e.Receipt != nil:
		about = append(about, "receipt", string(e.Receipt.Step), "via", nod.OneLine(e.Receipt.Via))
	}
	s.Log.Debug("a request went on", about...)
}
