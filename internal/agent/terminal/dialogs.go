package terminal

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

const (
	// dialogTime is how long a terminal waits before its dialog is read. A hook that
	// reports the same dialog is long there by then.
	dialogTime    = time.Second
	compareTime   = time.Second     // how often a dialog is compared with what people are asked
	dialogBackOff = 5 * time.Second // after one that people cannot be asked about
	hookTime      = 3 * time.Second // for a decision to close the dialog it was about
)

// askedDialog is a dialog that people are asked about.
type askedDialog struct {
	id       nod.RequestID
	dialog   *screen.Dialog
	compared time.Time
	answered bool // its keys were pressed
}

// dialogs asks people about dialogs that no hook reports, and answers them.
type dialogs struct {
	env   *environment
	since time.Time    // when the terminal began to wait without a hook
	asked *askedDialog // nil: people are asked about none
}

func (d *dialogs) watch(ctx context.Context, a *nod.Agent) {
	status, ok := wire.ReadStatus(a.Process.Status)
	if !ok || status.Session != string(a.ID) {
		return
	}
	switch {
	case status.State != wire.StatusWaiting:
		d.since = time.Time{}
		d.close(ctx, nod.WasAnswered)
	case d.asked != nil:
		d.update(ctx, a)
	case d.hookAsks(a.ID):
		d.since = time.Time{}
	default:
		d.askWhenDue(ctx, a)
	}
}

// askWhenDue asks people once the dialog has been open for a moment.
func (d *dialogs) askWhenDue(ctx context.Context, a *nod.Agent) {
	now := d.env.Now()
	switch {
	case d.since.IsZero():
		d.since = now
	case now.Sub(d.since) >= dialogTime:
		d.since = now.Add(dialogBackOff)
		d.ask(ctx, a)
	}
}

// hookAsks reports whether a hook has asked for this agent, or is just bringing the
// answer.
func (d *dialogs) hookAsks(id nod.AgentID) (yes bool) {
	now := d.env.Now()
	d.env.link.State(func(s *nod.State) {
		for _, r := range s.Requests { // not OpenOf: it counts, and this state must not be changed
			switch {
			case r.Agent.ID != id || r.Tool == toolTerminal && r.Settled():
			case r.Status == nod.Pending, r.Status == nod.Decided && now.Sub(r.Decision.At) < hookTime:
				yes = true
			}
		}
	})
	return yes
}

// ask asks people what the terminal asks.
func (d *dialogs) ask(ctx context.Context, a *nod.Agent) {
	s, err := d.env.terminals.snapshot(ctx, a)
	if err != nil || s.Dialog == nil {
		return
	}
	r, ok := requestOf(s.Dialog, d.env.Now())
	if !ok {
		return // the agent's person learns that the terminal needs them
	}
	r.Agent = a.Ref()
	if _, err := d.env.linkOf(a).Ask(ctx, r); err != nil {
		d.env.Log.Warn("a dialog was not recorded", "agent", a.ID, "err", err)
		return
	}
	d.asked = &askedDialog{id: r.ID, dialog: s.Dialog, compared: d.env.Now()}
}

// update answers the dialog once people have, and notices when it was replaced.
func (d *dialogs) update(ctx context.Context, a *nod.Agent) {
	var r *nod.Request
	d.env.link.State(func(s *nod.State) { r = s.Requests[d.asked.id] })
	now := d.env.Now()
	switch {
	case r == nil || r.Status == nod.Withdrawn || r.Status == nod.Expired:
		d.asked, d.since = nil, time.Time{}
	case r.Status == nod.Decided && d.asked.answered:
		d.asked, d.since = nil, now // it is still open, or the next one is
	case r.Status == nod.Decided:
		d.asked.answered = true
		answer(ctx, d.env, a, d.asked.dialog, r)
	case now.Sub(d.asked.compared) > compareTime:
		d.asked.compared = now
		if s, err := d.env.terminals.snapshot(ctx, a); err == nil && s.Dialog != nil && !d.asked.dialog.Same(s.Dialog) {
			d.close(ctx, "") // another one has taken its place
		}
	}
}

// close withdraws the request: the dialog was closed in the terminal.
func (d *dialogs) close(ctx context.Context, outcome string) {
	if d.asked != nil {
		d.withdraw(ctx, nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: outcome})
		d.since = time.Time{}
	}
}

func (d *dialogs) withdraw(ctx context.Context, why nod.Withdrawal) {
	if d.asked != nil {
		d.env.report(ctx, hub.Withdraw(d.asked.id, why))
		d.asked = nil
	}
}

// withdrawOldDialogs withdraws what an earlier hub has asked. If the dialog is still
// open people are asked again, about what it shows now.
func (e *environment) withdrawOldDialogs(ctx context.Context) {
	var facts []hub.Fact
	e.link.State(func(s *nod.State) {
		for id, r := range s.Requests {
			if r.Tool == toolTerminal && r.Status == nod.Pending && r.Agent.Kind == kind && e.link.Held(r) {
				facts = append(facts, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost}))
			}
		}
	})
	if len(facts) > 0 {
		e.report(ctx, facts...)
	}
}
