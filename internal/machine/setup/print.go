package setup

import (
	"context"
	"errors"
	"path/filepath"

	"nod/internal/agent/claude/settings"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

func (m *Setup) showPlan(p console.Page, change settings.Change, nod program, hook hookProgram) {
	p.Diff(m.Printer, change.Diff)
	if nod.stale() {
		p.Print(0, m.Say(words.WouldCopy, nod.from, nod.path))
	}
	if hook.stale() && hook.path != nod.path {
		p.Print(0, m.Say(words.WouldPlaceHook, hook.path))
	}
	if !change.Changed {
		p.Print(0, m.Say(words.SetupAlready, change.File, events()))
		return
	}
	p.Print(0, m.Say(words.DryRun, change.File))
}

func (m *Setup) printInstalled(p console.Page, c settings.Change, w wish) {
	if !c.Changed {
		p.Print(0, m.Say(words.SetupAlready, c.File, events()))
	} else {
		p.Done(m.Say(words.SetupWrote, c.File, events()))
	}
	m.printTarget(p, c)
	for _, warning := range c.Warnings {
		p.Warn(warning)
	}
	if w.scope == string(settings.Project) && w.settings == "" {
		p.Warn(m.Say(words.SharedWithTeam))
	}
	m.printSilencers(p, c.File)
}

// printSlowHook: `nod hook` works, and every step of an agent pays for all of nod.
func (m *Setup) printSlowHook(p console.Page, nod program, hook hookProgram) {
	if hook.path == nod.path {
		p.Warn(m.Say(words.NoHookProgram, filepath.Dir(nod.path)))
	}
}

func (m *Setup) printNext(ctx context.Context, p console.Page, changed bool, w wish) {
	up := m.hubAnswers(ctx)
	if !up {
		p.Warn(m.Say(words.HubNotRunning))
	}
	switch {
	case changed && up:
		p.Print(0, m.Say(words.NextUse))
	case changed:
		p.Print(0, m.Say(words.NextServe))
	case !up:
		p.Print(0, m.Say(words.HubDownFix))
	}
	if changed && !w.servesMCP() {
		p.Print(0, m.Say(words.NextMCP))
	}
}

// printTarget names the file behind a link and the copy of what was there before.
func (m *Setup) printTarget(p console.Page, c settings.Change) {
	if c.Target != c.File {
		p.Print(2, m.Say(words.BehindLink, c.Target))
	}
	if c.Backup != "" {
		p.Print(2, m.Say(words.BackupAt, c.Backup))
	}
}

// printSilencers: the best hooks are of no use where hooks are switched off.
func (m *Setup) printSilencers(p console.Page, file string) {
	paths, err := m.ClaudePaths()
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
		p.Warn(m.Say(words.HooksSilenced, s.Name, s.File, s.Line))
	}
}

func (m *Setup) hubAnswers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	c, err := m.Client("setup")
	if err != nil {
		return false
	}
	_, err = c.Health(ctx)
	return err == nil
}

// settingsError puts the commonest reason into the person's language.
func (m *Setup) settingsError(err error) error {
	if e, ok := errors.AsType[*settings.FileError](err); ok && errors.Is(err, settings.ErrIgnored) {
		return m.Failed(words.SettingsIgnored, e.File, e.Line, e.Column)
	}
	return m.Failed(words.NothingWritten, err)
}
