package metrics

import (
	"context"
	"log/slog"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// course is how far a request has come.
type course struct {
	kind                              nod.RequestKind
	raised, shown, decided, delivered time.Time
}

// mostCourses is how many requests are remembered. The oldest are forgotten: they
// are over, or nobody will ever answer them.
const mostCourses = 10_000

// again is how long to wait before following anew.
const again = time.Second

// Run follows the log until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "metrics", Via: "metrics", Rights: nod.RightsOf(nod.View)})
	for ctx.Err() == nil {
		for e, err := range desk.Follow(ctx, s.begin()) {
			if err != nil {
				s.Log.Warn("the metrics lost the log; they go on from its end", "err", err)
				break
			}
			s.take(&e)
		}
		pause.For(ctx, again)
	}
}

// begin is where to follow from: now, with the requests that are under way.
func (s *Surface) begin() (at nod.Seq) {
	s.courses, s.order = map[nod.RequestID]*course{}, nil
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

func (s *Surface) remember(id nod.RequestID, kind nod.RequestKind, at time.Time) *course {
	c := &course{kind: kind, raised: at}
	s.courses[id] = c
	if s.order = append(s.order, id); len(s.order) > mostCourses {
		delete(s.courses, s.order[0])
		s.order = s.order[1:]
	}
	return c
}

// note keeps the first time of each step.
func (c *course) note(step nod.Step, at time.Time) (first bool) {
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

// take counts one fact, and tells of it in the log of the program if it is about
// a request: so its way can be followed through every hub by its id.
func (s *Surface) take(e *nod.Event) {
	m := s.Meter
	m.events.inc("kind", string(e.Kind))
	if e.RequestID == "" {
		if e.Kind == nod.AccessRefused {
			m.refused.inc()
		}
		return
	}
	c := s.courses[e.RequestID]
	if c == nil {
		c = &course{} // older than what is remembered: no times are known
	}
	switch {
	case e.Kind == nod.RequestRaised && e.Request != nil:
		s.remember(e.RequestID, e.Request.Kind, e.At)
		m.raised.inc("kind", string(e.Request.Kind))
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		d := e.Decision
		m.settled.inc("kind", string(c.kind), "status", string(nod.Decided), "verdict", string(d.Verdict), "door", d.Via)
		since(m.decided, c.raised, e.At, "by", whoDecided(d))
		c.note(nod.StepDecided, e.At)
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		m.settled.inc("kind", string(c.kind), "status", string(nod.Withdrawn), "verdict", e.Withdrawal.Outcome, "door", doorOf(e.Withdrawal.Reason))
		m.withdrawn.inc("reason", string(e.Withdrawal.Reason))
	case e.Kind == nod.RequestExpired:
		m.settled.inc("kind", string(c.kind), "status", string(nod.Expired), "verdict", "", "door", "")
	case e.Kind == nod.RequestReceipt && e.Receipt != nil:
		s.receipt(c, e)
	}
	s.tell(e)
}

func (s *Surface) receipt(c *course, e *nod.Event) {
	m, step := s.Meter, e.Receipt.Step
	m.receipts.inc("step", string(step))
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

// doorOf is where somebody answered, if that is why a request was withdrawn.
func doorOf(reason nod.WithdrawReason) string {
	if reason == nod.WithdrawnTerminal || reason == nod.WithdrawnHost {
		return string(reason)
	}
	return ""
}

// tell says where a request is on its way. Nothing of what it asks is told: that
// may be secret, and the log of the program is read by others.
func (s *Surface) tell(e *nod.Event) {
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
