package terminal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
	"nod/internal/hub"
)

// The patience with a dialog.
const (
	moveTime  = 500 * time.Millisecond // for the cursor to move
	closeTime = 2 * time.Second        // for the dialog to go
	mostMoves = 30
)

// answer presses what people have decided, in the dialog they were shown and in no
// other: it is read again right before.
func (w *worker) answer(ctx context.Context, a *nod.Agent, r *nod.Request) {
	h, err := w.hold(ctx, a)
	if err != nil {
		w.prove(ctx, a, r, nod.StepDoubted, "the terminal cannot be reached")
		return
	}
	defer h.release()
	if s, err := h.look(ctx); err == nil && s.mode {
		_ = h.LeaveCopyMode(ctx) // if not, nothing is seen to change below
	}
	if err := w.choose(ctx, h, r); err != nil {
		w.log.Warn("a dialog was not answered", "agent", w.id, "request", r.ID, "err", err)
		w.prove(ctx, a, r, nod.StepDoubted, nod.Fold(nod.OneLine(err.Error()), titleLength))
		return
	}
	w.prove(ctx, a, r, nod.StepDelivered, "keys")
	s, err := h.until(ctx, closeTime, func(s sight) bool { return !w.asked.dialog.Same(s.Dialog) })
	if err == nil && w.asked.dialog.Same(s.Dialog) {
		w.prove(ctx, a, r, nod.StepDoubted, "the dialog is still open")
		return
	}
	w.prove(ctx, a, r, nod.StepApplied, "the dialog is closed")
}

func (w *worker) prove(ctx context.Context, a *nod.Agent, r *nod.Request, step nod.Step, proof string) {
	w.report(ctx, hub.Prove(r.ID, nod.Receipt{Step: step, By: w.way(a), Proof: proof}))
}

// choose presses the keys.
func (w *worker) choose(ctx context.Context, h *hand, r *nod.Request) error {
	d, err := w.same(ctx, h)
	if err != nil {
		return err
	}
	if r.Decision.Verdict == nod.VerdictDeny {
		return h.SendKeys(ctx, "Escape")
	}
	reply := r.Decision.Answers[r.Questions[0].Key()]
	switch {
	case d.Checkable() && len(reply.Picked) > 0 && reply.Text == "":
		return w.tick(ctx, h, reply.Picked)
	case len(reply.Picked) == 1 && len(d.Rows) == 0:
		return w.pressKey(ctx, h, d, reply.Picked[0])
	case len(reply.Picked) == 1 && !d.MultiSelect:
		return w.pick(ctx, h, func(row screen.Row) bool { return !row.FreeText && nod.OneLine(row.Label) == reply.Picked[0] })
	case reply.Text != "":
		return w.write(ctx, h, reply.Text)
	}
	return fmt.Errorf("an answer that this dialog does not take")
}

// same reads the dialog again.
func (w *worker) same(ctx context.Context, h *hand) (*screen.Dialog, error) {
	s, err := h.look(ctx)
	if err != nil {
		return nil, err
	}
	if !w.asked.dialog.Same(s.Dialog) {
		return nil, fmt.Errorf("the dialog is another one now")
	}
	return s.Dialog, nil
}

// pick walks to a row and takes it. Numbers are not used: what a digit does is not
// the same in every dialog, and the cursor can be seen.
func (w *worker) pick(ctx context.Context, h *hand, wanted func(screen.Row) bool) error {
	if err := w.walk(ctx, h, wanted); err != nil {
		return err
	}
	return h.SendKeys(ctx, "Enter")
}

func (w *worker) walk(ctx context.Context, h *hand, wanted func(screen.Row) bool) error {
	for range mostMoves {
		d, err := w.same(ctx, h)
		if err != nil {
			return err
		}
		at, to := d.Cursor(), -1
		for i, row := range d.Rows {
			if wanted(row) {
				to = i
			}
		}
		if at < 0 || to < 0 {
			return fmt.Errorf("the chosen row is not there any more")
		}
		if at == to {
			return nil
		}
		key := "Down"
		if to < at {
			key = "Up"
		}
		if err := h.SendKeys(ctx, key); err != nil {
			return err
		}
		moved := func(s sight) bool { return s.Dialog == nil || s.Dialog.Cursor() != at }
		if _, err := h.until(ctx, moveTime, moved); err != nil {
			return err
		}
	}
	return fmt.Errorf("the cursor does not get to the chosen row")
}

// write puts words into the row for them: an Enter on it while it is empty would
// decline everything.
func (w *worker) write(ctx context.Context, h *hand, text string) error {
	text = strings.Join(strings.Fields(text), " ") // one line; menus take no paste
	if err := w.walk(ctx, h, func(row screen.Row) bool { return row.FreeText }); err != nil {
		return err
	}
	if err := h.Type(ctx, text); err != nil {
		return err
	}
	written := func(s sight) bool { return s.Dialog != nil && holds(s.Dialog, text) }
	s, err := h.until(ctx, closeTime, written)
	if err != nil {
		return err
	}
	if !written(s) {
		return fmt.Errorf("the words did not show up in the dialog")
	}
	return h.SendKeys(ctx, "Enter")
}

// holds reports whether the cursor is on a row that shows these words, or their
// end: a long line scrolls.
func holds(d *screen.Dialog, text string) bool {
	at := d.Cursor()
	if at < 0 || !d.Rows[at].FreeText {
		return false
	}
	shown := strings.Join(strings.Fields(d.Rows[at].Label+d.Rows[at].Detail), "")
	want := strings.Join(strings.Fields(text), "")
	return shown != "" && (shown == want || len(shown) > 20 && strings.Contains(shown, want[max(0, len(want)-20):]))
}

// pressKey is for a dialog that only names keys.
func (w *worker) pressKey(ctx context.Context, h *hand, d *screen.Dialog, does string) error {
	for _, k := range d.Keys {
		if nod.OneLine(k.Action) != does {
			continue
		}
		switch name := strings.ToLower(k.Name); name {
		case "enter":
			return h.SendKeys(ctx, "Enter")
		case "esc":
			return h.SendKeys(ctx, "Escape")
		case "tab":
			return h.SendKeys(ctx, "Tab")
		case "shift+tab":
			return h.SendKeys(ctx, "BTab")
		case "space":
			return h.SendKeys(ctx, "Space")
		}
	}
	return fmt.Errorf("the chosen key is not there any more")
}
