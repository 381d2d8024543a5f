package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) hookCommand() string {
	w.t.Helper()
	_, rest, _ := strings.Cut(w.read(w.userSettings()), `"command": "`)
	path, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(rest, " \n"), ""), `"`)
	return strings.ReplaceAll(path, w.dir, "$DIR")
}

func TestHooksStartAProgramThatStays(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(w *world)
		want    string
		copied  bool
	}{
		"a usual place": {func(w *world) {}, "$DIR/bin/nod", false},
		"go run": {func(w *world) {
			w.self = w.script("tmp/go-build42/b001/exe/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"go run from the cache": {func(w *world) {
			w.self = w.script("home/.cache/go-build/ab/abcd-d/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"a cache elsewhere": {func(w *world) {
			w.env["GOCACHE"] = filepath.Join(w.dir, "gocache")
			w.self = w.script("gocache/ab/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"called otherwise": {func(w *world) {
			w.self = w.script("downloads/nod-linux-amd64", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"a link in PATH": {func(w *world) {
			w.self = w.script("cellar/nod/1.2.3/bin/nod", "exit 0")
			must(w.t, os.MkdirAll(filepath.Join(w.dir, "path"), 0o700))
			must(w.t, os.Symlink(w.self, filepath.Join(w.dir, "path", "nod")))
		}, "$DIR/path/nod", false},
		"another nod in PATH": {func(w *world) {
			w.script("path/nod", "exit 7")
		}, "$DIR/bin/nod", false},
		"a link in PATH to a temporary place": {func(w *world) {
			w.self = w.script("tmp/nod", "exit 0")
			must(w.t, os.MkdirAll(filepath.Join(w.dir, "path"), 0o700))
			must(w.t, os.Symlink(w.self, filepath.Join(w.dir, "path", "nod")))
		}, "$DIR/data/bin/nod", true},
		"the copy itself": {func(w *world) {
			w.self = w.script("data/bin/nod", "exit 0")
		}, "$DIR/data/bin/nod", false},
	} {
		w := newWorld(t)
		tt.prepare(w)
		out := w.mustRun("setup", "claude")
		if got := w.hookCommand(); got != tt.want || strings.Contains(out, "Copied ") != tt.copied {
			t.Errorf("%s: hooks start %s, want %s\n%s", name, got, tt.want, out)
		}
	}
}

func TestAnOlderCopyIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.self = w.script("tmp/nod", "exit 0")
	w.mustRun("setup", "claude")
	w.script(w.self, "exit 0 # newer")
	out := w.mustRun("setup", "claude")
	copied := filepath.Join(w.DataDir, "bin", "nod")
	if !strings.Contains(out, "Copied $DIR/tmp/nod to $DIR/data/bin/nod") || !strings.Contains(out, "Nothing to do") || w.read(copied) != w.read(w.self) {
		t.Error(out)
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if out := w.mustRun("setup", "claude"); strings.Contains(out, "Copied") {
		t.Error(out)
	}
	names, err := filepath.Glob(filepath.Join(w.DataDir, "bin", "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%q", names)
	}
}

func TestACopyThatCannotBeMadeChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.self = w.script("tmp/nod", "exit 0")
	w.write("data", "a file is in the way")
	_, err := w.run("setup", "claude")
	if exitOf(err) != 1 || !strings.Contains(err.Error(), "could not be copied") {
		t.Error(err)
	}
	if _, err := os.Stat(w.userSettings()); err == nil {
		t.Error("hooks were installed for a program that is not there")
	}
}
