package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
)

func (w *world) hookCommand() string {
	w.T.Helper()
	_, rest, _ := strings.Cut(w.Read(w.UserSettings()), `"command": "`)
	path, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimLeft(rest, " \n"), ""), `"`)
	return strings.ReplaceAll(path, w.Dir, "$DIR")
}

func TestHooksStartAProgramThatStays(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(w *world)
		want    string
		copied  bool
	}{
		"a usual place": {func(w *world) {}, "$DIR/bin/nod", false},
		"go run": {func(w *world) {
			w.Self = w.Script("tmp/go-build42/b001/exe/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"go run from the cache": {func(w *world) {
			w.Self = w.Script("home/.cache/go-build/ab/abcd-d/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"a cache elsewhere": {func(w *world) {
			w.Vars["GOCACHE"] = filepath.Join(w.Dir, "gocache")
			w.Self = w.Script("gocache/ab/nod", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"called otherwise": {func(w *world) {
			w.Self = w.Script("downloads/nod-linux-amd64", "exit 0")
		}, "$DIR/data/bin/nod", true},
		"a link in PATH": {func(w *world) {
			w.Self = w.Script("cellar/nod/1.2.3/bin/nod", "exit 0")
			envtest.Must(w.T, os.MkdirAll(filepath.Join(w.Dir, "path"), 0o700))
			envtest.Must(w.T, os.Symlink(w.Self, filepath.Join(w.Dir, "path", "nod")))
		}, "$DIR/path/nod", false},
		"another nod in PATH": {func(w *world) {
			w.Script("path/nod", "exit 7")
		}, "$DIR/bin/nod", false},
		"a link in PATH to a temporary place": {func(w *world) {
			w.Self = w.Script("tmp/nod", "exit 0")
			envtest.Must(w.T, os.MkdirAll(filepath.Join(w.Dir, "path"), 0o700))
			envtest.Must(w.T, os.Symlink(w.Self, filepath.Join(w.Dir, "path", "nod")))
		}, "$DIR/data/bin/nod", true},
		"the copy itself": {func(w *world) {
			w.Self = w.Script("data/bin/nod", "exit 0")
		}, "$DIR/data/bin/nod", false},
	} {
		w := newWorld(t)
		tt.prepare(w)
		out := w.MustRun("setup", "claude")
		if got := w.hookCommand(); got != tt.want || strings.Contains(out, "Copied ") != tt.copied {
			t.Errorf("%s: hooks start %s, want %s\n%s", name, got, tt.want, out)
		}
	}
}

func TestAnOlderCopyIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.Self = w.Script("tmp/nod", "exit 0")
	w.MustRun("setup", "claude")
	w.Script(w.Self, "exit 0 # newer")
	out := w.MustRun("setup", "claude")
	copied := filepath.Join(w.DataDir, "bin", "nod")
	if !strings.Contains(out, "Copied $DIR/tmp/nod to $DIR/data/bin/nod") || !strings.Contains(out, "Nothing to do") || w.Read(copied) != w.Read(w.Self) {
		t.Error(out)
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if out := w.MustRun("setup", "claude"); strings.Contains(out, "Copied") {
		t.Error(out)
	}
	names, err := filepath.Glob(filepath.Join(w.DataDir, "bin", "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%q", names)
	}
}

func TestACopyThatCannotBeMadeChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.Self = w.Script("tmp/nod", "exit 0")
	w.Write("data", "a file is in the way")
	_, err := w.Run("setup", "claude")
	if envtest.ExitOf(err) != 1 || !strings.Contains(err.Error(), "could not be copied") {
		t.Error(err)
	}
	if _, err := os.Stat(w.UserSettings()); err == nil {
		t.Error("hooks were installed for a program that is not there")
	}
}
