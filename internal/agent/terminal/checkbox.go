package terminal

import (
	"context"
	"fmt"
	"slices"

	"nod"
	"nod/internal/agent/claude/screen"
)

// check sets every checkbox as people chose, reads all of them once more, and submits.
// Space toggles a checkbox; Enter does so only in some dialogs.
func (p dialogKeys) check(ctx context.Context, picked []string) error {
	d, err := p.current(ctx)
	if err != nil {
		return err
	}
	for _, row := range d.Rows {
		if !row.Checkbox || row.FreeText || row.Checked == isPicked(row, picked) {
			continue
		}
		if err := p.toggle(ctx, row.Label, !row.Checked); err != nil {
			return err
		}
	}
	if err := p.moveTo(ctx, func(row screen.Row) bool { return row.Submit }); err != nil {
		return err
	}
	if d, err = p.current(ctx); err != nil {
		return err
	}
	for _, row := range d.Rows {
		if row.Checkbox && row.Checked != isPicked(row, picked) {
			return fmt.Errorf("a box is not as it was chosen")
		}
	}
	return p.terminal.SendKeys(ctx, "Enter")
}

// isPicked is never true for free text, which people were not offered.
func isPicked(row screen.Row, picked []string) bool {
	return !row.FreeText && slices.Contains(picked, nod.OneLine(row.Label))
}

func (p dialogKeys) toggle(ctx context.Context, label string, to bool) error {
	if err := p.moveTo(ctx, func(row screen.Row) bool { return row.Checkbox && row.Label == label }); err != nil {
		return err
	}
	if err := p.terminal.SendKeys(ctx, "Space"); err != nil {
		return err
	}
	toggled := func(s snapshot) bool {
		if s.Dialog == nil {
			return false
		}
		i, ok := s.Dialog.Row(label)
		return ok && s.Dialog.Rows[i].Checked == to
	}
	s, err := p.terminal.waitUntil(ctx, moveTime, toggled)
	if err != nil {
		return err
	}
	if !toggled(s) {
		return fmt.Errorf("a box did not turn over")
	}
	return nil
}
