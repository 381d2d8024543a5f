package machine

import (
	"os"

	"nod/internal/agent/claude/settings"
	"nod/internal/present/words"
)

func (m *Machine) removeHooks(w wish) error {
	file, err := m.settingsFile(w)
	if err != nil {
		return err
	}
	p := m.paper()
	server, err := m.planServer(p, w, "")
	if err != nil {
		return err
	}
	var change settings.Change
	if w.dry {
		change, err = settings.PlanRemove(file, nil)
	} else {
		change, err = settings.Remove(file, nil, settings.Options{Now: m.host.now})
	}
	if err != nil {
		return m.settingsError(err)
	}
	m.showDiff(p, change.Diff)
	switch {
	case !change.Changed && server.Changed:
	case !change.Changed:
		p.say(0, m.say.Say(words.NothingToRemove, file))
	case w.dry:
		p.say(0, m.say.Say(words.DryRun, file))
	default:
		m.tellRemoved(p, change)
	}
	if w.dry {
		m.showServer(p, server)
		return nil
	}
	return m.writeServer(p, server, w, "")
}

func (m *Machine) tellRemoved(p paper, c settings.Change) {
	text := words.HooksRemoved
	switch {
	case c.Deleted:
		text = words.SettingsDeleted
	case c.Restored:
		text = words.SettingsRestored
	}
	p.say(0, p.paint(green, "✓ ")+m.say.Say(text, c.File))
	if _, err := os.Stat(c.Backup); err == nil { // gone when the file equals it again
		m.tellTarget(p, c)
	}
	for _, warning := range c.Warnings {
		m.caution(p, warning)
	}
	p.say(0, m.say.Say(words.RemovedNext))
}
