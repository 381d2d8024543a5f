package setup

import (
	"os"

	"nod/internal/agent/claude/settings"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

func (m *Setup) removeHooks(w wish) error {
	file, err := m.settingsFile(w)
	if err != nil {
		return err
	}
	p := m.Page()
	server, err := m.planServer(p, w, "")
	if err != nil {
		return err
	}
	var change settings.Change
	if w.dry {
		change, err = settings.PlanRemove(file, nil)
	} else {
		change, err = settings.Remove(file, nil, settings.Options{Now: m.Now})
	}
	if err != nil {
		return m.settingsError(err)
	}
	p.Diff(m.Printer, change.Diff)
	switch {
	case !change.Changed && server.Changed:
	case !change.Changed:
		p.Print(0, m.Say(words.NothingToRemove, file))
	case w.dry:
		p.Print(0, m.Say(words.DryRun, file))
	default:
		m.printRemoved(p, change)
	}
	if w.dry {
		m.showServer(p, server)
		return nil
	}
	return m.writeServer(p, server, w, "")
}

func (m *Setup) printRemoved(p console.Page, c settings.Change) {
	text := words.HooksRemoved
	switch {
	case c.Deleted:
		text = words.SettingsDeleted
	case c.Restored:
		text = words.SettingsRestored
	}
	p.Done(m.Say(text, c.File))
	if _, err := os.Stat(c.Backup); err == nil { // gone when the file equals it again
		m.printTarget(p, c)
	}
	for _, warning := range c.Warnings {
		p.Warn(warning)
	}
	p.Print(0, m.Say(words.RemovedNext))
}
