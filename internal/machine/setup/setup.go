// Package setup connects agents to nod.
package setup

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// Setup is `nod setup`.
type Setup struct{ *env.Env }

// Command is the command.
func Command(e *env.Env) *cobra.Command {
	m := &Setup{e}
	cmd := m.Command("setup", words.TopicSetup)
	cmd.AddCommand(m.setupClaude())
	return cmd
}

// wish is what `nod setup claude` was asked for.
type wish struct {
	scope, settings     string
	dry, remove, plugin bool
}

func (m *Setup) setupClaude() *cobra.Command {
	var w wish
	cmd := m.Command("claude [--scope user|project|local] [--settings FILE] [--dry-run] [--remove] [--plugin]", words.TopicSetupClaude)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&w.scope, "scope", "user", m.Say(words.FlagScope))
	f.StringVar(&w.settings, "settings", "", m.Say(words.FlagSettings))
	f.BoolVar(&w.dry, "dry-run", false, m.Say(words.FlagDryRun))
	f.BoolVar(&w.remove, "remove", false, m.Say(words.FlagRemove))
	f.BoolVar(&w.plugin, "plugin", false, m.Say(words.FlagPlugin))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if w.plugin && (f.Changed("scope") || f.Changed("settings")) {
			return m.Misused(words.PluginAlone)
		}
		switch {
		case w.plugin && w.remove:
			return m.removePlugin(w)
		case w.plugin:
			return m.installPlugin(cmd.Context(), w)
		case w.remove:
			return m.removeHooks(w)
		}
		return m.installHooks(cmd.Context(), w)
	}
	return cmd
}

// events is how many hooks nod has.
func events() int { return len(wire.Events()) }

// settingsFile is the file that was meant.
func (m *Setup) settingsFile(w wish) (string, error) {
	if w.settings != "" {
		return filepath.Abs(w.settings)
	}
	p, err := m.ClaudePaths()
	if err != nil {
		return "", err
	}
	switch settings.Scope(w.scope) {
	case settings.User:
		return p.User, nil
	case settings.Project:
		if p.Project == "" { // in the home directory they are the same
			return p.User, nil
		}
		return p.Project, nil
	case settings.Local:
		return p.Local, nil
	}
	return "", m.Misused(words.NoSuchScope, w.scope)
}

// installHooks plans first: whatever is wrong with the file is said before
// anything is touched.
func (m *Setup) installHooks(ctx context.Context, w wish) error {
	file, err := m.settingsFile(w)
	if err != nil {
		return err
	}
	nod, err := m.program()
	if err != nil {
		return err
	}
	hook := m.hookProgram(ctx, nod)
	defer hook.cleanUp()
	hooks := hook.hooks()
	change, err := settings.PlanInstall(file, hooks, settings.Options{Allow: w.allow()})
	if err != nil {
		return m.settingsError(err)
	}
	p := m.Page()
	server, err := m.planServer(p, w, nod.path)
	if err != nil {
		return err
	}
	if w.dry {
		m.showPlan(p, change, nod, hook)
		m.showServer(p, server)
		return nil
	}
	if err := m.placePrograms(p, nod, hook); err != nil {
		return err
	}
	if change.Changed {
		if change, err = settings.Install(file, hooks, settings.Options{Now: m.Now, Allow: w.allow()}); err != nil {
			return m.settingsError(err)
		}
		p.Diff(m.Printer, change.Diff)
	}
	m.printInstalled(p, change, w)
	m.printSlowHook(p, nod, hook)
	if err := m.writeServer(p, server, w, nod.path); err != nil {
		return err
	}
	m.printNext(ctx, p, change.Changed, w)
	return nil
}

// placePrograms puts what `go run` made, and will sweep, where it stays.
func (m *Setup) placePrograms(p console.Page, nod program, hook hookProgram) error {
	if nod.stale() {
		if err := nod.place(); err != nil {
			return m.Failed(words.CopyFailed, nod.path, err)
		}
		p.Print(0, m.Say(words.CopiedProgram, nod.from, nod.path))
	}
	if hook.stale() && hook.path != nod.path {
		if err := hook.place(); err != nil {
			return m.Failed(words.CopyFailed, hook.path, err)
		}
		p.Print(0, m.Say(words.PlacedHook, hook.path))
	}
	return nil
}
