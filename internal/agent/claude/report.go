package claude

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// HandleReport takes what a waiting hook says about its request.
func (d *Driver) HandleReport(ctx context.Context, id nod.RequestID, w wire.HookReport) error {
	switch w.Event {
	case wire.Delivered:
		// Claude Code waits for the hook to end, so this does not wait for the disk.
		if err := d.link.Note(ctx, hub.Prove(id, nod.Receipt{Step: nod.StepDelivered, By: "hook"})); err != nil {
			return err
		}
		d.expectProof(id, 0)
		return nil
	case wire.Closed:
		return d.link.Report(ctx, closedLocally(id, w.Status))
	}
	return nod.Errorf(nod.Invalid, "unknown word %q of a hook: %s or %s", w.Event, wire.Delivered, wire.Closed)
}

// closedLocally is a dialog that was closed in the terminal, as far as the hook can tell.
// A signal or an idle session means denied; a busy session was allowed, answered, or
// denied with a message, and the next event may say which.
func closedLocally(id nod.RequestID, status string) hub.Fact {
	w := nod.Withdrawal{Reason: nod.WithdrawnTerminal}
	switch status {
	case wire.BySignal, wire.StatusIdle:
		w.Outcome = nod.WasDenied
	case wire.ByDeath:
		w.Reason = nod.WithdrawnEnded
	}
	return func(s *nod.State, now time.Time) []nod.Event {
		if r, ok := s.Requests[id]; ok && r.Status == nod.Decided {
			// Our answer came too late: the terminal was first.
			return hub.Prove(id, nod.Receipt{Step: nod.StepOverruled, By: "hook", Proof: status})(s, now)
		}
		return hub.Withdraw(id, w)(s, now)
	}
}

// Lost withdraws a request whose hook is not there, unless the hook is back in time.
// The hook vanished without a word, or has not come back since the hub started. It may
// only have lost its connection; without it an answer could not reach the agent.
func (d *Driver) Lost(id nod.RequestID, patience time.Duration, back func() bool) {
	d.timers.After(patience, func() {
		if !back() {
			d.report(d.link.IfHeld(id, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost})))
		}
	})
}

// expectProof waits for the agent to show that it did what was decided. If it does not in
// time that is recorded too: people must not rely on an answer that had no effect.
func (d *Driver) expectProof(id nod.RequestID, waited time.Duration) {
	d.timers.After(d.Proof, func() { d.lookForProof(id, waited+d.Proof) })
}

// longestWait bounds how long a running tool may delay the proof.
const longestWait = 6 * time.Hour

func (d *Driver) lookForProof(id nod.RequestID, waited time.Duration) {
	var r *nod.Request
	var status string
	d.link.State(func(s *nod.State) {
		r = s.Requests[id]
		if r == nil {
			return
		}
		if a := s.Agents[r.Agent.ID]; a != nil && d.link.Here(a) {
			status = statusOf(a)
		}
	})
	if r == nil || proven(r) || r.Decision == nil {
		return
	}
	switch {
	case r.Decision.Stop && status == wire.StatusIdle:
		// A stopped turn ends without an event; an idle session is the sign.
		d.report(hub.Prove(id, nod.Receipt{Step: nod.StepApplied, By: Kind, Proof: "status idle"}))
	case r.Decision.Verdict != nod.VerdictDeny && status == wire.StatusBusy && waited < longestWait:
		d.expectProof(id, waited) // the tool is still running
	default:
		d.report(hub.Prove(id, nod.Receipt{Step: nod.StepDoubted, By: "hub", Proof: status}))
	}
}

func proven(r *nod.Request) bool {
	_, applied := r.Receipt(nod.StepApplied)
	_, overruled := r.Receipt(nod.StepOverruled)
	return applied || overruled
}

func statusOf(a *nod.Agent) string {
	if a.Process == nil || !a.Process.Local || a.Process.Status == "" {
		return ""
	}
	s, _ := wire.ReadStatus(a.Process.Status)
	return s.State
}
