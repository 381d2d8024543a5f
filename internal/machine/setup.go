package machine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"nod/internal/claudecode"
	"nod/internal/claudecode/settings"
	"nod/internal/words"
)

// setup connects agents to nod.
func (m *Machine) setup() *cobra.Command {
	cmd := m.command("setup", words.TopicSetup)
	cmd.AddCommand(m.setupClaude())
	return cmd
}

// wish is what `nod setup claude` was asked for.
type wish struct {
	scope, settings     string
	dry, remove, plugin bool
}

func (m *Machine) setupClaude() *cobra.Command {
	var w wish
	cmd := m.command("claude [--scope user|project|local] [--settings FILE] [--dry-run] [--remove] [--plugin]", words.TopicSetupClaude)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&w.scope, "scope", "user", m.say.Say(words.FlagScope))
	f.StringVar(&w.settings, "settings", "", m.say.Say(words.FlagSettings))
	f.BoolVar(&w.dry, "dry-run", false, m.say.Say(words.FlagDryRun))
	f.BoolVar(&w.remove, "remove", false, m.say.Say(words.FlagRemove))
	f.BoolVar(&w.plugin, "plugin", false, m.say.Say(words.FlagPlugin))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if w.plugin && (f.Changed("scope") || f.Changed("settings")) {
			return m.misused(words.PluginAlone)
		}
		switch {
		case w.plugin && w.remove:
			return m.removePlugin(w)
		case w.plugin:
			return m.installPlugin(w)
		case w.remove:
			return m.removeHooks(w)
		}
		return m.installHooks(cmd.Context(), w)
	}
	return cmd
}

// How long Claude Code waits for a hook, in seconds. One that waits for a person
// gets a day; at the end of a session nobody wants to wait at all.
const (
	waitForPerson = 24 * 60 * 60
	waitForHub    = 10
	waitAtTheEnd  = 2
)

// hooksFor are nod's hooks, started without a shell.
func hooksFor(binary string) []settings.Hook {
	var hooks []settings.Hook
	for _, event := range claudecode.Events() {
		h := settings.Hook{Event: event, Command: binary, Args: []string{"hook"}, Timeout: waitForHub}
		switch {
		case claudecode.Waits(event):
			h.Timeout = waitForPerson
		case event == claudecode.SessionEnd:
			h.Timeout = waitAtTheEnd
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// events is how many hooks nod has.
func events() int { return len(claudecode.Events()) }

// settingsFile is the file that was meant.
func (m *Machine) settingsFile(w wish) (string, error) {
	if w.settings != "" {
		return filepath.Abs(w.settings)
	}
	p, err := m.claudePaths()
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
	return "", m.misused(words.NoSuchScope, w.scope)
}

// installHooks plans first: whatever is wrong with the file is said before
// anything is touched.
func (m *Machine) installHooks(ctx context.Context, w wish) error {
	file, err := m.settingsFile(w)
	if err != nil {
		return err
	}
	nod, err := m.program()
	if err != nil {
		return err
	}
	hooks := hooksFor(nod.path)
	change, err := settings.PlanInstall(file, hooks, settings.Options{})
	if err != nil {
		return m.settingsError(err)
	}
	p := m.paper()
	if w.dry {
		m.showPlan(p, change, nod)
		return nil
	}
	if err := m.placeProgram(p, nod); err != nil {
		return err
	}
	if change.Changed {
		if change, err = settings.Install(file, hooks, settings.Options{Now: m.host.now}); err != nil {
			return m.settingsError(err)
		}
		m.showDiff(p, change.Diff)
	}
	m.tellInstalled(ctx, p, change, w)
	return nil
}

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

func (m *Machine) placeProgram(p paper, nod program) error {
	if !nod.stale() {
		return nil
	}
	if err := nod.place(); err != nil {
		return m.failed(words.CopyFailed, nod.path, err)
	}
	p.say(0, m.say.Say(words.CopiedProgram, nod.from, nod.path))
	return nil
}

func (m *Machine) tellInstalled(ctx context.Context, p paper, c settings.Change, w wish) {

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
	m.tellNext(ctx, p, c.Changed)
}

func (m *Machine) tellNext(ctx context.Context, p paper, changed bool) {
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

func (m *Machine) removeHooks(w wish) error {
	file, err := m.settingsFile(w)
	if err != nil {
		return err
	}
	p := m.paper()
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
	case !change.Changed:
		p.say(0, m.say.Say(words.NothingToRemove, file))
	case w.dry:
		p.say(0, m.say.Say(words.DryRun, file))
	default:
		m.tellRemoved(p, change)
	}
	return nil
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
