package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Scope is the level of a settings file.
type Scope string

const (
	User    Scope = "user"
	Project Scope = "project"
	Local   Scope = "local"
	Managed Scope = "managed"
)

// Report is what Inspect found: facts for a doctor page, no judgement about which hooks there should be.
type Report struct {
	Files    []FileReport // managed first, then local, project, user
	Switches []Switch
}

// FileReport is about one settings file.
type FileReport struct {
	Scope    Scope
	Path     string
	Exists   bool
	Err      error     // unreadable or malformed; Claude Code ignores such a file
	Handlers []Handler // of a file with Err they do not run
	Warnings []string
}

// Handler is one of our hooks as a file has it.
type Handler struct {
	Hook
	Line    int
	Shell   bool   // run through a shell, as an older or hand-written entry is
	Binary  string // the program that would start, as far as it can be known
	Problem string // why that program cannot start; empty: it can, or that is unknown
}

// Inspect reads every settings file; errors are in the report.
func Inspect(p Paths) Report {
	var r Report
	add := func(scope Scope, path string) {
		if path == "" {
			return
		}
		file, switches := inspectFile(scope, path, p.LookPath, ownerOr(p.Own))
		r.Files = append(r.Files, file)
		r.Switches = append(r.Switches, switches...)
	}
	for _, path := range managedFiles(p.ManagedDir) {
		add(Managed, path)
	}
	add(Local, p.Local)
	add(Project, p.Project)
	add(User, p.User)
	settle(r.Switches)
	return r
}

// managedFiles are in the order in which they are merged: the base, then the drop-ins by name.
func managedFiles(dir string) []string {
	if dir == "" {
		return nil
	}
	paths := []string{filepath.Join(dir, "managed-settings.json")}
	dropIns := filepath.Join(dir, "managed-settings.d")
	entries, err := os.ReadDir(dropIns)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return append(paths, dropIns) // reading it as a file reports what is wrong
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(dropIns, e.Name()))
		}
	}
	return paths
}

func inspectFile(scope Scope, path string, look func(string) (string, error), own Owner) (FileReport, []Switch) {
	report := FileReport{Scope: scope, Path: path}
	s, err := take(path)
	report.Exists = s.exists || err != nil
	if err != nil || !s.exists {
		report.Err = err
		return report, nil
	}
	d, err := parse(path, s.data)
	if err != nil {
		report.Err = err
		return report, nil
	}
	switches, odd := d.switches(scope)
	report.Warnings = append(d.warnings, odd...)
	found, err := d.ours(own)
	report.Err = err
	if ignored := d.checkStrict(); ignored != nil { // its handlers are listed, but its switches have no effect
		report.Err, switches = ignored, nil
	}
	for _, f := range found {
		h := Handler{Hook: f.Hook, Shell: f.Args == nil}
		h.Matcher = strings.TrimPrefix(h.Matcher, "\x00")
		h.Line, _ = position(d.src, f.offset)
		h.Binary, h.Problem = program(f.Hook, look)
		report.Handlers = append(report.Handlers, h)
	}
	return report, switches
}

// program finds what a handler starts and, when it can tell, why it would not start.
func program(h Hook, look func(string) (string, error)) (path, problem string) {
	path = h.Command
	if words, ok := plainWords(h.Command); ok && h.Args == nil && len(words) > 0 {
		path = words[0]
	}
	switch {
	case strings.ContainsAny(path, "$%") || strings.HasPrefix(path, "~"):
		return path, "" // only the shell or Claude Code knows
	case !strings.ContainsAny(path, `/\`):
		if look == nil {
			return path, ""
		}
		found, err := look(path)
		if err != nil {
			return path, path + " is not in PATH"
		}
		path = found
	case !filepath.IsAbs(path):
		return path, "the path is relative, so it depends on the directory of the session"
	}
	return path, notRunnable(path)
}

func notRunnable(path string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path + " does not exist"
	case err != nil:
		return fmt.Sprintf("%s cannot be examined: %s", path, reason(err))
	case !info.Mode().IsRegular():
		return path + " is not a file"
	case !runnable(info):
		return path + " is not executable"
	}
	return ""
}
