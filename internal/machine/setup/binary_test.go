package setup

import (
	"context"
	"errors"
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
	link := func(w *world, name string) {
		envtest.Must(w.T, os.MkdirAll(filepath.Join(w.Dir, "path"), 0o700))
		envtest.Must(w.T, os.Symlink(filepath.Join(filepath.Dir(w.Self), name), filepath.Join(w.Dir, "path", name)))
	}
	for name, tt := range map[string]struct {
		prepare func(w *world)
		want    string
		copied  bool // nod
		placed  bool // nod-hook
	}{
		"a usual place": {func(w *world) {}, "$DIR/bin/nod-hook", false, false},
		"no nod-hook": {func(w *world) {
			envtest.Must(w.T, os.Remove(filepath.Join(w.Dir, "bin", "nod-hook")))
		}, "$DIR/bin/nod", false, false},
		"a nod-hook of somebody else's": {func(w *world) {
			w.Script("bin/nod-hook", "echo hello")
		}, "$DIR/bin/nod", false, false},
		"go run": {func(w *world) {
			w.Self = w.Script("tmp/go-build42/b001/exe/nod", "exit 0")
			w.Script("path/go", "exit 0")
		}, "$DIR/data/bin/nod-hook", true, true},
		"go run from the cache": {func(w *world) {
			w.Self = w.Script("home/.cache/go-build/ab/abcd-d/nod", "exit 0")
			w.Script("path/go", "exit 0")
		}, "$DIR/data/bin/nod-hook", true, true},
		"a cache elsewhere": {func(w *world) {
			w.Vars["GOCACHE"] = filepath.Join(w.Dir, "gocache")
			w.Self = w.Script("gocache/ab/nod", "exit 0")
			w.Script("path/go", "exit 0")
		}, "$DIR/data/bin/nod-hook", true, true},
		"go run where go has gone": {func(w *world) {
			w.Self = w.Script("tmp/go-build42/b001/exe/nod", "exit 0")
		}, "$DIR/data/bin/nod", true, false},
		"go run where nothing can be built": {func(w *world) {
			w.Self = w.Script("tmp/go-build42/b001/exe/nod", "exit 0")
			w.Script("path/go", "exit 0")
			w.BuildHook = func(context.Context, string) error { return errors.New("no such package") }
		}, "$DIR/data/bin/nod", true, false},
		"a temporary place, whose source may be anybody's": {func(w *world) {
			w.Self = w.Script("tmp/nod", "exit 0")
			w.Script("path/go", "exit 0")
		}, "$DIR/data/bin/nod", true, false},
		"both in a temporary place": {func(w *world) {
			w.Self = w.Script("tmp/nod", "exit 0")
			w.Script("tmp/nod-hook", envtest.SayHook)
		}, "$DIR/data/bin/nod-hook", true, true},
		"called otherwise": {func(w *world) {
			w.Self = w.Script("downloads/nod-linux-amd64", "exit 0")
		}, "$DIR/data/bin/nod", true, false},
		"links in PATH": {func(w *world) {
			w.Self = w.Script("cellar/nod/1.2.3/bin/nod", "exit 0")
			w.Script("cellar/nod/1.2.3/bin/nod-hook", envtest.SayHook)
			link(w, "nod")
			link(w, "nod-hook")
		}, "$DIR/path/nod-hook", false, false},
		"a link in PATH for nod alone": {func(w *world) {
			w.Self = w.Script("cellar/nod/1.2.3/bin/nod", "exit 0")
			w.Script("cellar/nod/1.2.3/bin/nod-hook", envtest.SayHook)
			link(w, "nod")
		}, "$DIR/cellar/nod/1.2.3/bin/nod-hook", false, false},
		"another nod in PATH": {func(w *world) {
			w.Script("path/nod", "exit 7")
		}, "$DIR/bin/nod-hook", false, false},
		"a link in PATH to a temporary place": {func(w *world) {
			w.Self = w.Script("tmp/nod", "exit 0")
			link(w, "nod")
		}, "$DIR/data/bin/nod", true, false},
		"the copy itself": {func(w *world) {
			w.Self = w.Script("data/bin/nod", "exit 0")
			w.Script("data/bin/nod-hook", envtest.SayHook)
		}, "$DIR/data/bin/nod-hook", false, false},
	} {
		w := newWorld(t)
		tt.prepare(w)
		out := w.MustRun("setup", "claude")
		got := w.hookCommand()
		if got != tt.want || strings.Contains(out, "Copied ") != tt.copied || strings.Contains(out, "Put nod-hook at $DIR/data/bin/nod-hook") != tt.placed {
			t.Errorf("%s: hooks start %s, want %s\n%s", name, got, tt.want, out)
		}
		if strings.Contains(out, "There is no nod-hook") != strings.HasSuffix(got, "/nod") {
			t.Errorf("%s: hooks start %s\n%s", name, got, out)
		}
		if again := w.MustRun("setup", "claude"); !strings.Contains(again, "Nothing to do") || strings.Contains(again, "Copied ") || strings.Contains(again, "Put nod-hook") {
			t.Errorf("%s: the second time:\n%s", name, again)
		}
		if left, err := filepath.Glob(filepath.Join(w.Dir, "tmp", "nod-hook-*")); err != nil || len(left) > 0 {
			t.Errorf("%s left %q", name, left)
		}
	}
}

// Settings of an earlier release name `nod hook`; setup changes them.
func TestTheEarlierHookIsReplaced(t *testing.T) {
	w := newWorld(t)
	const before = "{\n  \"model\": \"opus\"\n}\n"
	file := w.Write("home/.claude/settings.json", before)
	hook := filepath.Join(w.Dir, "bin", "nod-hook")
	envtest.Must(t, os.Remove(hook))
	w.MustRun("setup", "claude")
	if got := w.hookCommand(); got != "$DIR/bin/nod" {
		t.Fatal(got)
	}
	w.Script(hook, envtest.SayHook)
	w.MustRun("setup", "claude")
	if text := w.Read(file); strings.Contains(text, `"hook"`) || strings.Count(text, `/nod-hook"`) != events() {
		t.Error(text)
	}
	w.MustRun("setup", "claude", "--remove")
	if got := w.Read(file); got != before {
		t.Errorf("it came back as\n%s", got)
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
