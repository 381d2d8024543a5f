package terminal

import (
	"context"
	"errors"
	"slices"
	"time"

	"nod"
	"nod/internal/agent/terminal/run"
)

const (
	checkInterval = 10 * time.Second
	// quickChecks of a new session follow each other quickly: Claude Code reports a
	// session before it has drawn anything. Some versions never show the mode.
	quickChecks = 10
)

// reachability checks whether an agent can be reached in its terminal, and tells the
// hub.
type reachability struct {
	env      *environment
	checked  time.Time
	checks   int
	process  nod.Process // whose terminal was checked
	reported *bool       // nil: nothing yet
}

// recheck makes the next check due at once.
func (r *reachability) recheck() { r.checked = time.Time{} }

func (r *reachability) due(a *nod.Agent) bool {
	interval := checkInterval
	if a.Mode == "" && r.checks < quickChecks {
		interval = idleInterval
	}
	return *a.Process != r.process || r.env.Now().Sub(r.checked) > interval
}

func (r *reachability) check(ctx context.Context, a *nod.Agent) {
	if !r.due(a) {
		return
	}
	r.checks++
	s, err := r.env.terminals.snapshot(ctx, a)
	var refusal run.Refusal
	if err != nil && !isGone(err) {
		switch {
		case errors.As(err, &refusal): // the terminal is there
			r.checked, r.process = r.env.Now(), *a.Process
		case ctx.Err() == nil:
			r.env.Log.Warn("a terminal could not be read", "agent", a.ID, "err", err)
		}
		return // neither yes nor no
	}
	r.checked, r.process = r.env.Now(), *a.Process
	r.report(ctx, a.ID, err == nil)
	r.env.reportMode(ctx, a, s.Mode)
}

// abilities are what an agent can do because its terminal can be reached.
func abilities() []nod.Ability { return []nod.Ability{nod.CanSay, nod.CanBackground, nod.CanMode} }

func (r *reachability) report(ctx context.Context, id nod.AgentID, reachable bool) {
	if r.reported != nil && *r.reported == reachable {
		return
	}
	ok := r.env.reportAgent(ctx, id, func(a *nod.Agent) {
		for _, x := range abilities() {
			has := slices.Contains(a.Can, x)
			switch {
			case reachable && !has:
				a.Can = append(a.Can, x)
			case !reachable && has:
				a.Can = slices.DeleteFunc(a.Can, func(y nod.Ability) bool { return y == x })
			}
		}
	})
	if ok {
		r.reported = &reachable
	}
}
