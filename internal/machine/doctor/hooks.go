package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// settings: one comma too many makes Claude Code ignore a whole file.
func (c *claudeChecks) settings(context.Context) Finding {
	f := c.inspect()
	if f.err != nil {
		return fail(f.err.Error(), c.Say(words.HomeFix))
	}
	var broken, read []string
	for _, file := range f.report.Files {
		switch {
		case file.Err != nil:
			broken = append(broken, c.brokenFile(file))
		case file.Exists:
			read = append(read, file.Path)
		}
	}
	switch {
	case len(broken) > 0:
		return fail(strings.Join(broken, "; "), c.Say(words.SettingsFix))
	case len(read) == 0:
		return fine(c.Say(words.SettingsNone))
	}
	return fine(strings.Join(read, ", "))
}

func (c *claudeChecks) brokenFile(f settings.FileReport) string {
	e, ok := errors.AsType[*settings.FileError](f.Err)
	switch {
	case ok && errors.Is(e, settings.ErrIgnored):
		return c.Say(words.SettingsLenient, place(f.Path, e.Line, e.Column))
	case ok && e.Line > 0:
		return c.Say(words.SettingsBroken, place(f.Path, e.Line, e.Column), e.Problem)
	}
	return f.Err.Error()
}

func place(file string, line, column int) string { return fmt.Sprintf("%s:%d:%d", file, line, column) }

// handler is one of nod's hooks in a file that Claude Code reads.
type handler struct {
	settings.Handler
	scope settings.Scope
	file  string
}

func (f *claudeFacts) handlers() (all []handler) {
	for _, file := range f.report.Files {
		if file.Err != nil {
			continue
		}
		for _, h := range file.Handlers {
			all = append(all, handler{h, file.Scope, file.Path})
		}
	}
	return all
}

// covers reports whether it gets the event with every tool, and may wait long
// enough for a person.
func (h handler) covers(event string) bool {
	longEnough := !wire.Waits(event) || h.Timeout >= 60*60
	return h.Event == event && (h.Matcher == "" || h.Matcher == "*") && longEnough
}

func (c *claudeChecks) hooks(context.Context) Finding {
	f := c.inspect()
	all := f.handlers()
	setup := c.setUpAgain(settings.User)
	if len(all) == 0 {
		if _, err := os.Stat(c.PluginDir()); err == nil {
			return warn(c.Say(words.HooksInPlugin, c.PluginDir()), c.Say(words.HooksInPluginFix, console.ShellWord(c.PluginDir())))
		}
		if f.binary == "" {
			return skip(c.Say(words.SkipClaude))
		}
		return fail(c.Say(words.HooksMissing), setup)
	}
	var missing, files []string
	for _, event := range wire.Events() {
		if !slices.ContainsFunc(all, func(h handler) bool { return h.covers(event) }) {
			missing = append(missing, event)
		}
	}
	for _, h := range all {
		if !slices.Contains(files, h.file) {
			files = append(files, h.file)
		}
	}
	setup = c.setUpAgain(all[len(all)-1].scope)
	found := c.Say(words.HooksFound, len(wire.Events())-len(missing), len(wire.Events()), strings.Join(files, ", "))
	switch {
	case slices.Contains(missing, wire.PermissionRequest):
		return fail(found+" "+c.Say(words.HooksLacking, strings.Join(missing, ", ")), setup)
	case len(missing) > 0:
		return warn(found+" "+c.Say(words.HooksLacking, strings.Join(missing, ", ")), setup)
	}
	return fine(found)
}

// setUpAgain is the command that repairs the hooks of a scope.
func (c *claudeChecks) setUpAgain(scope settings.Scope) string {
	line := "nod setup claude"
	if scope == settings.Project || scope == settings.Local {
		line += " --scope " + string(scope)
	}
	return c.Say(words.HooksFix, line)
}

// mayRun: settings of a project come with its files, so the programs they name are
// not started until the person trusts the folder.
func (c *claudeChecks) mayRun(scope settings.Scope) bool {
	if scope == settings.User || scope == settings.Managed {
		return true
	}
	cwd, err := os.Getwd()
	if err != nil {
		return false
	}
	trusted, err := settings.Trusted(c.inspect().paths.StateDir, cwd)
	return err == nil && trusted
}

// doubled: two handlers for one event send everything to the hub twice.
func (c *claudeChecks) doubled(context.Context) Finding {
	all := c.inspect().handlers()
	var places, twice []string
	for i, h := range all {
		j := slices.IndexFunc(all[:i], func(o handler) bool { return o.Event == h.Event && o.Matcher == h.Matcher })
		if j < 0 {
			continue
		}
		if !slices.Contains(twice, h.Event) {
			twice = append(twice, h.Event)
		}
		for _, file := range []string{all[j].file, h.file} {
			if !slices.Contains(places, file) {
				places = append(places, file)
			}
		}
	}
	switch {
	case len(all) == 0:
		return skip(c.Say(words.SkipHooks))
	case len(twice) == 0:
		return fine(c.Say(words.DoubledNot))
	}
	what := strings.Join(twice, ", ")
	if len(twice) > 3 {
		what = c.Count(words.EventsInLog, len(twice))
	}
	found := c.Say(words.Doubled, what, strings.Join(places, ", "))
	return warn(found, c.Say(words.DoubledFix, console.ShellWord(places[0])))
}

// silenced lists every setting that keeps hooks from running.
func (c *claudeChecks) silenced(context.Context) Finding {
	f := c.inspect()
	var found, fixes []string
	seen := map[settings.Switch]bool{}
	var scopes []settings.Scope
	for _, h := range f.handlers() {
		scopes = append(scopes, h.scope)
	}
	if len(scopes) == 0 {
		scopes = append(scopes, settings.User) // where setup would write
	}
	for _, scope := range scopes {
		for _, s := range f.report.Silencers(scope) {
			if seen[s] {
				continue
			}
			seen[s] = true
			found = append(found, c.Say(words.SilencedBy, s.Name, s.File, s.Line))
			if fix := c.silencedFix(s); !slices.Contains(fixes, fix) {
				fixes = append(fixes, fix)
			}
		}
	}
	if len(found) == 0 {
		return fine(c.Say(words.SilencedNot))
	}
	return fail(strings.Join(found, "; "), strings.Join(fixes, " "))
}

func (c *claudeChecks) silencedFix(s settings.Switch) string {
	switch {
	case s.Name == settings.StrictPluginOnly:
		return c.Say(words.SilencedPluginFix)
	case s.Scope == settings.Managed:
		return c.Say(words.SilencedManagedFix)
	}
	return c.Say(words.SilencedFix)
}
