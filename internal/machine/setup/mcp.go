package setup

import (
	"errors"
	"path/filepath"

	"nod/internal/agent/claude/settings"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

const mcpName = "nod"

// harmlessTools raise and read, and nothing else: that Claude Code asks before it asks a person would be
// a question too many. `permission` is not among them; Claude Code calls it by itself.
func harmlessTools() []string {
	tools := []string{"ask_person", "notify_person", "show_progress", "get_decisions",
		"update_keyboard_context", "set_keyboard_buttons", "get_keyboard_status"}
	for i, t := range tools {
		tools[i] = "mcp__" + mcpName + "__" + t
	}
	return tools
}

// servesMCP: for every project of the person. What goes to a team or into a file of its own gets the hooks
// only, because the server is named in another file.
func (w wish) servesMCP() bool { return w.settings == "" && settings.Scope(w.scope) == settings.User }

func (w wish) allow() []string {
	if !w.servesMCP() {
		return nil
	}
	return harmlessTools()
}

func (m *Setup) stateFile() (string, error) {
	p, err := m.ClaudePaths()
	return filepath.Join(p.StateDir, settings.StateFile), err
}

// planServer runs before anything is written. A foreign server under nod's name is left alone; the
// hooks work without ours, so that is reported but not an error.
func (m *Setup) planServer(p console.Page, w wish, binary string) (change settings.Change, err error) {
	file, err := m.stateFile()
	if err != nil {
		return change, err
	}
	switch {
	case !w.servesMCP():
		return change, nil
	case w.remove:
		change, err = settings.PlanRemoveServer(file, mcpName)
	default:
		change, err = settings.PlanInstallServer(file, settings.Server{Name: mcpName, Command: binary, Args: m.mcpArgs()})
	}
	if errors.Is(err, settings.ErrForeign) {
		p.Warn(err.Error())
		return settings.Change{}, nil
	}
	if err != nil {
		return change, m.settingsError(err)
	}
	return change, nil
}

func (m *Setup) writeServer(p console.Page, plan settings.Change, w wish, binary string) error {
	if !plan.Changed {
		return nil
	}
	var change settings.Change
	var err error
	if w.remove {
		change, err = settings.RemoveServer(plan.File, mcpName)
	} else {
		change, err = settings.InstallServer(plan.File, settings.Server{Name: mcpName, Command: binary, Args: m.mcpArgs()})
	}
	if err != nil {
		return m.settingsError(err)
	}
	p.Diff(m.Printer, change.Diff)
	text := words.ServerWritten
	if w.remove {
		text = words.ServerRemoved
	}
	p.Done(m.Say(text, change.File))
	return nil
}

// showServer is the part of a dry run.
func (m *Setup) showServer(p console.Page, plan settings.Change) {
	if plan.Changed {
		p.Diff(m.Printer, plan.Diff)
		p.Print(0, m.Say(words.DryRun, plan.File))
	}
}
