package settings

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected files in testdata")

const binary = "/usr/local/bin/nod"

// wanted has what matters for layout: a new event with a matcher, an async one, a plain one.
func wanted() []Hook {
	return []Hook{
		{Event: "PermissionRequest", Command: binary, Args: []string{"hook"}, Timeout: 86400},
		{Event: "SessionStart", Command: binary, Args: []string{"hook"}},
		{Event: "PostToolUse", Matcher: "Edit|Write", Command: binary, Args: []string{"hook"}, Timeout: 10, Async: true},
	}
}

// tiny are the same hooks with the program of their own.
func tiny() []Hook {
	hooks := wanted()
	for i := range hooks {
		hooks[i].Command, hooks[i].Args = binary+"-hook", []string{}
	}
	hooks[1].Args = []string{"--data", "/srv/nod"}
	return hooks
}

// example is one txtar file. Lines of its comment say what a text file cannot show.
type example struct {
	name          string
	before, after []byte
	warns, ours   bool
	refusal       string // "line:column what"
}

// examples are files that Claude Code reads.
func examples(t testing.TB) []example {
	t.Helper()
	return examplesIn(t, "testdata/install")
}

// ignored are files with comments or trailing commas: after is what an older nod, or a person who annotated
// the file later, would have left.
func ignored(t testing.TB) []example {
	t.Helper()
	return examplesIn(t, "testdata/ignored")
}

func examplesIn(t testing.TB, dir string) []example {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	var out []example
	for _, f := range files {
		archive, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Split(string(archive.Comment), "\n")
		e := example{name: strings.TrimSuffix(filepath.Base(f), ".txtar"),
			warns: slices.Contains(notes, "warns"), ours: slices.Contains(notes, "has ours")}
		for _, note := range notes {
			if refusal, ok := strings.CutPrefix(note, "ignored "); ok {
				e.refusal = refusal
			}
		}
		for _, part := range archive.Files {
			switch part.Name {
			case "before":
				e.before = disguise(part.Data, notes)
			case "after":
				e.after = disguise(part.Data, notes)
			}
		}
		out = append(out, e)
	}
	return out
}

func disguise(text []byte, notes []string) []byte {
	text = bytes.Clone(text)
	if slices.Contains(notes, "no final newline") {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if slices.Contains(notes, "crlf") {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	if slices.Contains(notes, "bom") {
		text = append([]byte(byteOrderMark), text...)
	}
	return text
}

// saveExample undoes disguise and rewrites the archive.
func saveExample(t *testing.T, name string, after []byte) {
	t.Helper()
	file := filepath.Join("testdata/install", name+".txtar")
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	after = bytes.TrimPrefix(after, []byte(byteOrderMark))
	after = bytes.ReplaceAll(after, []byte("\r\n"), []byte("\n"))
	archive.Files = append(archive.Files[:1:1], txtar.File{Name: "after", Data: after})
	write(t, file, txtar.Format(archive))
}

func write(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// settingsFile is a fresh directory with one settings file in it.
func settingsFile(t testing.TB, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, data)
	return file
}

func install(t testing.TB, file string, hooks []Hook) Change {
	t.Helper()
	c, err := Install(file, hooks, Options{Now: steadyClock})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func remove(t testing.TB, file string) Change {
	t.Helper()
	c, err := Remove(file, nil, Options{Now: steadyClock})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func steadyClock() time.Time { return time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC) }

// alone fails when anything but the given names is left beside the file.
func alone(t testing.TB, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if !slices.Equal(have, names) {
		t.Errorf("the directory holds %q, want %q", have, names)
	}
}
