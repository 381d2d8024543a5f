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

const (
	moveTime  = 500 * time.Millisecond // for the cursor to move
	closeTime = 2 * time.Second        // for the dialog to close
	maxMoves  = 30
)

// answer presses what people have decided, only in the dialog that they were shown: it
// is read again before every key.
func answer(ctx context.Context, env *environment, a *nod.Agent, d *screen.Dialog, r *nod.Request) {
	prove := func(step nod.Step, proof string) {
		env.report(ctx, hub.Prove(r.ID, nod.Receipt{Step: step, By: env.backend(a), Proof: proof}))
	}
	t, err := env.terminals.lock(ctx, a)
	if err != nil {
		prove(nod.StepDoubted, "the terminal cannot be reached")
		return
	}
	defer t.unlock()
	_, _ = t.readyForKeys(ctx) // after an error no key will have an effect, which is noticed
	p := dialogKeys{t, d}
	if err := p.answer(ctx, r); err != nil {
		env.Log.Warn("a dialog was not answered", "agent", a.ID, "request", r.ID, "err", err)
		prove(nod.StepDoubted, nod.Fold(nod.OneLine(err.Error()), maxTitleLength))
		return
	}
	prove(nod.StepDelivered, "keys")
	s, err := t.waitUntil(ctx, closeTime, func(s snapshot) bool { return !d.Same(s.Dialog) })
	if err == nil && d.Same(s.Dialog) {
		prove(nod.StepDoubted, "the dialog is still open")
		return
	}
	prove(nod.StepApplied, "the dialog is closed")
}

// dialogKeys presses keys in one dialog.
type dialogKeys struct {
	terminal *lockedTerminal
	dialog   *screen.Dialog
}

func (p dialogKeys) answer(ctx context.Context, r *nod.Request) error {
	d, err := p.current(ctx)
	if err != nil {
		return err
	}
	if r.Decision.Verdict == nod.VerdictDeny {
		return p.terminal.SendKeys(ctx, "Escape")
	}
	reply := r.Decision.Answers[r.Questions[0].Key()]
	switch {
	case d.Checkable() && len(reply.Picked) > 0 && reply.Text == "":
		return p.check(ctx, reply.Picked)
	case len(reply.Picked) == 1 && len(d.Rows) == 0:
		return p.pressKey(ctx, d, reply.Picked[0])
	case len(reply.Picked) == 1 && !d.MultiSelect:
		return p.choose(ctx, reply.Picked[0])
	case reply.Text != "":
		return p.typeText(ctx, reply.Text)
	}
	return fmt.Errorf("an answer that this dialog does not take")
}

// current reads the dialog again.
func (p dialogKeys) current(ctx context.Context) (*screen.Dialog, error) {
	s, err := p.terminal.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if !p.dialog.Same(s.Dialog) {
		return nil, fmt.Errorf("the dialog is another one now")
	}
	return s.Dialog, nil
}

// choose moves the cursor to a row and presses Enter. Digits do not mean the same in
// every dialog, and the cursor can be seen.
func (p dialogKeys) choose(ctx context.Context, label string) error {
	err := p.moveTo(ctx, func(row screen.Row) bool { return !row.FreeText && nod.OneLine(row.Label) == label })
	if err != nil {
		return err
	}
	return p.terminal.SendKeys(ctx, "Enter")
}

func (p dialogKeys) moveTo(ctx context.Context, wanted func(screen.Row) bool) error {
	for range maxMoves {
		d, err := p.current(ctx)
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
		if err := p.terminal.SendKeys(ctx, key); err != nil {
			return err
		}
		moved := func(s snapshot) bool { return s.Dialog == nil || s.Dialog.Cursor() != at }
		if _, err := p.terminal.waitUntil(ctx, moveTime, moved); err != nil {
			return err
		}
	}
	return fmt.Errorf("the cursor does not get to the chosen row")
}

// typeText fills in the row for free text, and makes sure that the text is there: an
// Enter on the empty row would decline everything.
func (p dialogKeys) typeText(ctx context.Context, text string) error {
	text = strings.Join(strings.Fields(text), " ") // one line; menus take no paste
	if err := p.moveTo(ctx, func(row screen.Row) bool { return row.FreeText }); err != nil {
		return err
	}
	if err := p.terminal.Type(ctx, text); err != nil {
		return err
	}
	typed := func(s snapshot) bool { return s.Dialog != nil && showsText(s.Dialog, text) }
	s, err := p.terminal.waitUntil(ctx, closeTime, typed)
	if err != nil {
		return err
	}
	if !typed(s) {
		return fmt.Errorf("the words did not show up in the dialog")
	}
	return p.terminal.SendKeys(ctx, "Enter")
}

// showsText reports whether the cursor is on a row that shows this text, or its end: a
// long line scrolls.
func showsText(d *screen.Dialog, text string) bool {
	at := d.Cursor()
	if at < 0 || !d.Rows[at].FreeText {
		return false
	}
	shown := strings.Join(strings.Fields(d.Rows[at].Label+d.Rows[at].Detail), "")
	want := strings.Join(strings.Fields(text), "")
	return shown != "" && (shown == want || len(shown) > 20 && strings.Contains(shown, want[max(0, len(want)-20):]))
}

// keyNames are the keys that dialogs name, as tmux calls them.
var keyNames = map[string]string{"enter": "Enter", "esc": "Escape", "tab": "Tab", "shift+tab": "BTab", "space": "Space"}

// pressKey answers a dialog that has no rows and only names keys.
func (p dialogKeys) pressKey(ctx context.Context, d *screen.Dialog, action string) error {
	for _, k := range d.Keys {
		if key, ok := keyNames[strings.ToLower(k.Name)]; ok && nod.OneLine(k.Action) == action {
			return p.terminal.SendKeys(ctx, key)
		}
	}
	return fmt.Errorf("the chosen key is not there any more")
}
