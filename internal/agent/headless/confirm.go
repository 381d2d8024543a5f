package headless

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// The verdicts of Needs.Phrases.
const (
	saysAllow = "allow"
	saysAsk   = "ask"
	saysDeny  = "deny"
)

// ConfirmTool is the tool that a request for confirmation names.
const ConfirmTool = "Confirm"

// confirmation is a yes that a person must give before a message is delivered or,
// where marker is set, before the model continues.
type confirmation struct {
	m       nod.MessageID
	request nod.RequestID
	allowed bool
	marker  *marker
}

// mayDeliver reports whether a message may go to the program. It asks a person about
// dangerous words first.
func (w *worker) mayDeliver(ctx context.Context, a *nod.Agent, m *nod.Message) bool {
	if c := w.confirm; c != nil {
		if c.m == m.ID {
			return c.allowed
		}
		w.confirm = nil // another message interrupts
		w.insist(ctx, hub.Withdraw(c.request, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}),
			hub.UnheardFor(c.m, "Other words came before it was confirmed.", nod.TroubleStopped))
	}
	verdict, reason := w.Phrases(m.Text)
	switch verdict {
	case saysAllow:
		return true
	case saysDeny:
		w.insist(ctx, hub.UnheardFor(m.ID, "A rule of this hub does not let this be said: "+reason+".", nod.TroubleRefused))
		return false
	}
	r := w.confirmRequest(a, m.Text, m.Text, map[string]string{"said": m.Text, "reason": reason})
	if reason != "" {
		r.Display += "\n\n" + reason
	}
	if _, err := w.link.Ask(ctx, r); err != nil {
		w.Log.Warn("words wait, because nobody can be asked about them", "agent", w.id, "err", err)
		w.retry = w.Now().Add(w.timing.retry)
		return false
	}
	w.confirm = &confirmation{m: m.ID, request: r.ID}
	w.nudge() // a rule may have decided it already
	return false
}

// confirmed takes the answer of a person.
func (w *worker) confirmed(ctx context.Context, r *nod.Request) {
	yes := r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictAllow
	if w.confirm.marker != nil {
		w.markerSettled(ctx, r, yes)
		return
	}
	if yes {
		w.confirm.allowed = true
		return
	}
	m, word, text := w.confirm.m, nod.TroubleRefused, "It was not confirmed, so it was not said."
	if r.Status == nod.Expired {
		word, text = nod.TroubleTimeout, "Nobody confirmed it in time, so it was not said."
	} else if r.Decision != nil {
		text = r.Decision.By + " said no, so it was not said."
	}
	w.confirm = nil
	w.insist(ctx, hub.UnheardFor(m, text, word), talk(w.id, func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentIdle, now)
		a.Talk.Held(now)
	}))
}

// dropConfirmation withdraws the question about a message that its sender took back.
func (w *worker) dropConfirmation(ctx context.Context, queued []nod.Message) {
	c := w.confirm
	if c == nil || c.marker != nil || w.turn != nil || slices.ContainsFunc(queued, func(m nod.Message) bool { return m.ID == c.m }) {
		return
	}
	w.confirm = nil
	w.note(ctx, hub.Withdraw(c.request, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
}

// proveConfirmed notes that the program has a message that was confirmed.
func (w *worker) proveConfirmed(ctx context.Context, m nod.MessageID) {
	c := w.confirm
	if c == nil || c.m != m || c.marker != nil {
		return
	}
	w.confirm = nil
	w.note(ctx, hub.Prove(c.request, nod.Receipt{Step: nod.StepDelivered, By: driverName}),
		hub.Prove(c.request, nod.Receipt{Step: nod.StepApplied, By: driverName, Proof: "heard"}))
}

// raiseMarker asks a person what the model asked by a marker.
func (w *worker) raiseMarker(ctx context.Context, k marker) {
	a, _ := w.look()
	if a == nil {
		return
	}
	display := k.what
	if k.commands != "" {
		display += "\n\n" + k.commands
	}
	r := w.confirmRequest(a, k.what, display, map[string]string{"action": k.what, "commands": k.commands})
	w.turn.markers++
	if _, err := w.link.Ask(ctx, r); err != nil {
		w.Log.Warn("a question of the model could not be asked; it counts as refused", "agent", w.id, "err", err)
		w.finishAnswered(ctx, cancelled(a.Talk.Language))
		return
	}
	w.link.DraftOver(w.id) // what the model writes after the answer is another text
	w.confirm = &confirmation{m: w.turn.m.ID, request: r.ID, marker: &k}
	w.turn.pause(w.Now())
	w.nudge()
}

// cancelled is the answer after a person refused what the model wanted to do, in the
// language of the conversation.
func cancelled(language string) string {
	return words.For(func(string) string { return language }).Say(words.BrainCancelled)
}

// goAhead tells the model that a person agreed: to the sentence that they heard, and
// to nothing else. The commands may never have been read out.
func goAhead(k *marker) string {
	return "(Not said by the person: they were asked and have confirmed exactly this: " + k.what +
		". Do that now and nothing beyond it, do not ask for it again, and then say briefly what you did.)"
}

func (w *worker) markerSettled(ctx context.Context, r *nod.Request, yes bool) {
	k := w.confirm.marker
	w.confirm = nil
	a, _ := w.look()
	if a == nil || w.turn == nil {
		return
	}
	if !yes {
		w.notes = append(w.notes, "(Not said by the person: they did not confirm \""+nod.Fold(nod.OneLine(k.what), 200)+"\". It was not done.)")
	}
	switch {
	case yes && w.prog == nil: // it ended while the person thought about it
		w.finishWith(ctx, crashed(nil))
	case yes:
		t := w.turn
		t.uuid, t.text, t.stream = newUUID(), answer{}, flow{}
		w.note(ctx, hub.Prove(r.ID, nod.Receipt{Step: nod.StepDelivered, By: driverName}))
		w.proofs[""] = r.ID // what the model writes next proves it
		w.say(ctx, t.uuid, goAhead(k))
	case r.Status == nod.Expired:
		w.finishWith(ctx, trouble{word: nod.TroubleTimeout, text: "Nobody answered in time, so nothing was done."})
	case a.Stopping != nil:
		w.finishWith(ctx, stoppedBy(a.Stopping.By))
	default:
		w.finishAnswered(ctx, cancelled(a.Talk.Language))
	}
}
