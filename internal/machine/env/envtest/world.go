// Package envtest makes up machines for the tests of their commands.
package envtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/app"
	v1 "nod/internal/client/v1"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "rewrite the expected pages in testdata")

// Package is the folder of the package under test; worlds change the current one.
var Package, _ = os.Getwd()

// World is a made-up machine: a home, a project to stand in, a data folder, and
// an environment that holds nothing else.
type World struct {
	*env.Env
	T                           testing.TB
	Dir, HomeDir, Project, Self string
	Vars                        map[string]string
	Out                         bytes.Buffer
	Health                      v1.Health               // what the fake hub says
	Commands                    func() []*cobra.Command // under test
}

// Morning is when it is in a world.
var Morning = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)

// Languages are those of the golden files.
var Languages = map[string]words.Lang{"en": words.English, "pl": words.Polish, "ja": words.Japanese}

// New is a world for a command (nil: the test sets Commands). It is outside of the temporary directory as far as
// nod can tell, and its paths are short enough for a socket.
func New(t *testing.T, command func(*env.Env) *cobra.Command) *World {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod")
	Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	dir = env.Resolved(dir)
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	w := &World{T: t, Dir: dir, HomeDir: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"), Self: filepath.Join(dir, "bin", "nod")}
	for _, d := range []string{w.HomeDir, w.Project, filepath.Join(dir, "tmp")} {
		Must(t, os.MkdirAll(d, 0o700))
	}
	t.Chdir(w.Project)
	w.Commands = func() []*cobra.Command { return []*cobra.Command{command(w.Env)} }
	w.Vars = map[string]string{"HOME": w.HomeDir, "PATH": "/usr/bin:/bin"}
	w.Script(w.Self, "exit 0")
	w.Script(w.Self+"-hook", SayHook)
	w.Env = &env.Env{
		Printer: words.In(words.English), Stdin: strings.NewReader(""), Stdout: &w.Out, Stderr: &w.Out, Version: "v1.2.3",
		Getenv: func(name string) string { return w.Vars[name] }, DataDir: filepath.Join(dir, "data"),
		Now: func() time.Time { return Morning }, Executable: func() (string, error) { return w.Self, nil }, LookPath: w.lookPath,
		BuildHook: func(_ context.Context, to string) error { w.Script(to, SayHook+" # built"); return nil },
		Terminal:  func() (int, bool) { return 0, false }, Attended: func() bool { return false }, ManagedDir: filepath.Join(dir, "managed"),
	}
	return w
}

// SayHook is the script of a nod-hook of the version that is running.
const SayHook = `test "$1" != --version || echo nod-hook v1.2.3 protocol 2`

func (w *World) lookPath(name string) (string, error) {
	path := filepath.Join(w.Dir, "path", name)
	if _, err := os.Stat(path); err != nil {
		return "", errors.New(name + " is not in PATH")
	}
	return path, nil
}

// Must fails the test.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Write fills a file below the world's folder.
func (w *World) Write(name, text string) string {
	w.T.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(w.Dir, name)
	}
	Must(w.T, os.MkdirAll(filepath.Dir(path), 0o700))
	Must(w.T, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Script writes a program.
func (w *World) Script(path, body string) string {
	w.T.Helper()
	if runtime.GOOS == "windows" {
		w.T.Skip("programs of these worlds are shell scripts")
	}
	path = w.Write(path, "#!/bin/sh\n"+body+"\n")
	Must(w.T, os.Chmod(path, 0o755))
	return path
}

// Read is what is in a file.
func (w *World) Read(path string) string {
	w.T.Helper()
	b, err := os.ReadFile(path)
	Must(w.T, err)
	return string(b)
}

// UserSettings is the file of Claude Code that `nod setup claude` changes.
func (w *World) UserSettings() string { return filepath.Join(w.HomeDir, ".claude", "settings.json") }

// Run executes a command line and returns what a person sees.
func (w *World) Run(args ...string) (string, error) {
	w.T.Helper()
	w.Out.Reset()
	root := &cobra.Command{Use: "nod", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(w.Commands()...)
	root.SetArgs(args)
	err := root.ExecuteContext(w.T.Context())
	return w.Shown(w.Out.String()), err
}

// MustRun is Run for what has to work.
func (w *World) MustRun(args ...string) string {
	w.T.Helper()
	out, err := w.Run(args...)
	if err != nil {
		w.T.Fatalf("nod %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Shown is a text without the random name of the world's folder.
func (w *World) Shown(text string) string { return strings.ReplaceAll(text, w.Dir, "$DIR") }

// Files is everything below the world's folder and what is in it.
func (w *World) Files() map[string]string {
	w.T.Helper()
	all := map[string]string{}
	Must(w.T, filepath.WalkDir(w.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all[path] = w.Read(path)
		}
		return err
	}))
	return all
}

// WantUntouched compares with Files of before.
func (w *World) WantUntouched(before map[string]string) {
	w.T.Helper()
	if after := w.Files(); !maps.Equal(before, after) {
		w.T.Errorf("files were\n%q\nand are\n%q", before, after)
	}
}

// StartHub puts a hub into the data folder that answers w.Health.
func (w *World) StartHub() {
	w.T.Helper()
	Must(w.T, os.MkdirAll(w.DataDir, 0o700))
	listener, err := net.Listen("unix", app.Socket(w.DataDir))
	Must(w.T, err)
	all := nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	w.Health = v1.Health{
		OK: true, Status: "ok", Version: "v1.2.3",
		Identity: &v1.Identity{You: &nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk"}, Rights: all},
		Details:  &v1.Details{Now: Morning, Listen: "http://127.0.0.1:8742"},
	}
	server := &http.Server{Handler: http.HandlerFunc(w.ServeHealth), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	w.T.Cleanup(func() { _ = server.Close() })
}

// ServeHealth is the only route of the fake hub.
func (w *World) ServeHealth(res http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(res).Encode(w.Health)
}

// Golden compares with a page in testdata.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(Package, "testdata", name)
	if *update {
		Must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		Must(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	Must(t, err)
	if got != string(want) {
		t.Errorf("%s: the page is\n%s\nwant\n%s", name, got, want)
	}
}

// ExitOf is the exit code that an error stands for, or -1.
func ExitOf(err error) int {
	if e, ok := errors.AsType[*env.Error](err); ok {
		return e.Exit
	}
	return -1
}

// AfterDiff is what a person reads last.
func AfterDiff(out string) string {
	_, rest, found := strings.Cut(out, "\n\n")
	if !found {
		return out
	}
	return rest
}
