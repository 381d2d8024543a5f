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

// settings: one comma too many, and Claude Code reads nothing of a file.
func (c *checkup) settings(context.Context) finding {
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

func (c *checkup) brokenFile(f settings.FileReport) string {
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

// heard is a handler of ours in a file that Claude Code reads.
type heard struct {
	settings.Handler
	scope settings.Scope
	file  string
}

func (f *claudeFacts) heard() (all []heard) {
	for _, file := range f.report.Files {
		if file.Err != nil {
			continue
		}
		for _, h := range file.Handlers {
			all = append(all, heard{h, file.Scope, file.Path})
		}
	}
	return all
}

// covers: for the event, with every tool, and long enough for a person.
func (h heard) covers(event string) bool {
	patient := !wire.Waits(event) || h.Timeout >= 60*60
	return h.Event == event && (h.Matcher == "" || h.Matcher == "*") && patient
}

func (c *checkup) hooks(context.Context) finding {
	f := c.inspect()
	all := f.heard()
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
		if !slices.ContainsFunc(all, func(h heard) bool { return h.covers(event) }) {
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

// setUpAgain is the command that puts the hooks of a scope right.
func (c *checkup) setUpAgain(scope settings.Scope) string {
	line := "nod setup claude"
	if scope == settings.Project || scope == settings.Local {
		line += " --scope " + string(scope)
	}
	return c.Say(words.HooksFix, line)
}

// hookProgram starts each program once, as Claude Code would.
func (c *checkup) hookProgram(ctx context.Context) finding {
	var tried, wrong []string
	var at settings.Scope
	for _, h := range c.inspect().heard() {
		if slices.Contains(tried, h.Binary) {
			continue
		}
		tried = append(tried, h.Binary)
		if problem := c.tryHook(ctx, h); problem != "" {
			wrong, at = append(wrong, problem), h.scope
		}
	}
	switch {
	case len(wrong) > 0:
		return fail(strings.Join(wrong, "; "), c.setUpAgain(at))
	case len(tried) == 0:
		return skip(c.Say(words.SkipHooks))
	}
	return fine(strings.Join(tried, ", "))
}

func (c *checkup) tryHook(ctx context.Context, h heard) (problem string) {
	if h.Problem != "" {
		return c.Say(words.ProgramCannotStart, h.Problem, fmt.Sprintf("%s:%d", h.file, h.Line))
	}
	if strings.ContainsAny(h.Binary, "$%") || strings.HasPrefix(h.Binary, "~") || !c.mayRun(h.scope) {
		return ""
	}
	out, err := c.run(ctx, h.Binary, "hook")
	switch {
	case err != nil:
		return c.Say(words.ProgramFails, h.Binary, err)
	case out != "":
		return c.Say(words.ProgramTalks, h.Binary)
	}
	return ""
}

// mayRun: the settings of a project came with its files. What they name is not
// started before the person trusts the folder.
func (c *checkup) mayRun(scope settings.Scope) bool {
	if scope == settings.User || scope == settings.Managed {
		return true
	}
	cwd, err := os.Getwd()
	if err != nil {
		return false
	}
	trusted, err := settings.Trusted(c.claude.paths.StateDir, cwd)
	return err == nil && trusted
}

// doubled: two handlers for one event tell the hub everything twice.
func (c *checkup) doubled(context.Context) finding {
	all := c.inspect().heard()
	var places, twice []string
	for i, h := range all {
		j := slices.IndexFunc(all[:i], func(o heard) bool { return o.Event == h.Event && o.Matcher == h.Matcher })
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

// silenced lists every switch that keeps hooks from running.
func (c *checkup) silenced(context.Context) finding {
	f := c.inspect()
	var found, fixes []string
	seen := map[settings.Switch]bool{}
	var scopes []settings.Scope
	for _, h := range f.heard() {
		scopes = append(scopes, h.scope)
	}
	if len(scopes) == 0 {
		scopes = append(scopes, settings.User) // what would be set up
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

func (c *checkup) silencedFix(s settings.Switch) string {
	switch {
	case s.Name == settings.StrictPluginOnly:
		return c.Say(words.SilencedPluginFix)
	case s.Scope == settings.Managed:
		return c.Say(words.SilencedManagedFix)
	}
	return c.Say(words.SilencedFix)
}
