package machine

import (
	"context"
	"errors"
	"time"

	"nod/internal/agent/claude/settings"
	"nod/internal/present/words"
)

func (m *Machine) showPlan(p paper, change settings.Change, nod program) {
	m.showDiff(p, change.Diff)
	if nod.stale() {
		p.say(0, m.say.Say(words.WouldCopy, nod.from, nod.path))
	}
	if !change.Changed {
		p.say(0, m.say.Say(words.SetupAlready, change.File, events()))
		return
	}
	p.say(0, m.say.Say(words.DryRun, change.File))
}

func (m *Machine) tellInstalled(p paper, c settings.Change, w wish) {
	if !c.Changed {
		p.say(0, m.say.Say(words.SetupAlready, c.File, events()))
	} else {
		p.say(0, p.paint(green, "✓ ")+m.say.Say(words.SetupWrote, c.File, events()))
	}
	m.tellTarget(p, c)
	for _, warning := range c.Warnings {
		m.caution(p, warning)
	}
	if w.scope == string(settings.Project) && w.settings == "" {
		m.caution(p, m.say.Say(words.SharedWithTeam))
	}
	m.tellSilencers(p, c.File)
}

func (m *Machine) tellNext(ctx context.Context, p paper, changed bool, w wish) {
	up := m.hubAnswers(ctx)
	if !up {
		m.caution(p, m.say.Say(words.HubNotRunning))
	}
	switch {
	case changed && up:
		p.say(0, m.say.Say(words.NextUse))
	case changed:
		p.say(0, m.say.Say(words.NextServe))
	case !up:
		p.say(0, m.say.Say(words.HubDownFix))
	}
	if changed && !w.servesMCP() {
		p.say(0, m.say.Say(words.NextMCP))
	}
}

// tellTarget names the file behind a link and the copy of what was there before.
func (m *Machine) tellTarget(p paper, c settings.Change) {
	if c.Target != c.File {
		p.say(2, m.say.Say(words.BehindLink, c.Target))
	}
	if c.Backup != "" {
		p.say(2, m.say.Say(words.BackupAt, c.Backup))
	}
}

func (m *Machine) caution(p paper, text string) { p.say(0, p.paint(yellow, "! ")+text) }

// tellSilencers: the best hooks are of no use where hooks are switched off.
func (m *Machine) tellSilencers(p paper, file string) {
	paths, err := m.claudePaths()
	if err != nil {
		return
	}
	scope := settings.User
	switch file {
	case paths.User:
	case paths.Project:
		scope = settings.Project
	default: // also a file for `claude --settings`, which weighs as much
		scope, paths.Local = settings.Local, file
	}
	for _, s := range settings.Inspect(paths).Silencers(scope) {
		m.caution(p, m.say.Say(words.HooksSilenced, s.Name, s.File, s.Line))
	}
}

// hubPatience is more than a hub that is there needs.
const hubPatience = 2 * time.Second

func (m *Machine) hubAnswers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, hubPatience)
	defer cancel()
	c, err := m.Client("setup")
	if err != nil {
		return false
	}
	_, err = c.Health(ctx)
	return err == nil
}

// settingsError puts the commonest reason into the person's language.
func (m *Machine) settingsError(err error) error {
	if e, ok := errors.AsType[*settings.FileError](err); ok && errors.Is(err, settings.ErrIgnored) {
		return m.failed(words.SettingsIgnored, e.File, e.Line, e.Column)
	}
	return m.failed(words.NothingWritten, err)
}
