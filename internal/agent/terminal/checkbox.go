package terminal

import (
	"context"
	"fmt"
	"slices"

	"nod"
	"nod/internal/agent/claude/screen"
)

// tick makes the boxes what people chose, looks at all of them once more, and ends
// the choosing. Space turns a box over; Enter does not in every dialog.
func (w *worker) tick(ctx context.Context, h *hand, picked []string) error {
	d, err := w.same(ctx, h)
	if err != nil {
		return err
	}
	for _, row := range d.Rows {
		if !row.Checkbox || row.FreeText || row.Checked == chosen(row, picked) {
			continue
		}
		if err := w.turnOver(ctx, h, row.Label, !row.Checked); err != nil {
			return err
		}
	}
	if err := w.walk(ctx, h, func(row screen.Row) bool { return row.Submit }); err != nil {
		return err
	}
	if d, err = w.same(ctx, h); err != nil {
		return err
	}
	for _, row := range d.Rows {
		if row.Checkbox && row.Checked != chosen(row, picked) {
			return fmt.Errorf("a box is not as it was chosen")
		}
	}
	return h.SendKeys(ctx, "Enter")
}

// chosen is never a row with words in it: nobody was offered those.
func chosen(row screen.Row, picked []string) bool {
	return !row.FreeText && slices.Contains(picked, nod.OneLine(row.Label))
}

func (w *worker) turnOver(ctx context.Context, h *hand, label string, to bool) error {
	if err := w.walk(ctx, h, func(row screen.Row) bool { return row.Checkbox && row.Label == label }); err != nil {
		return err
	}
	if err := h.SendKeys(ctx, "Space"); err != nil {
		return err
	}
	is := func(s sight) bool {
		if s.Dialog == nil {
			return false
		}
		i, ok := s.Dialog.Row(label)
		return ok && s.Dialog.Rows[i].Checked == to
	}
	s, err := h.until(ctx, moveTime, is)
	if err != nil {
		return err
	}
	if !is(s) {
		return fmt.Errorf("a box did not turn over")
	}
	return nil
}
