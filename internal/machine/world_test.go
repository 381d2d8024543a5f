package machine

import (
	"bytes"
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
	"nod/internal/client"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "rewrite the expected pages in testdata")

// here is the folder of this package; worlds stand elsewhere.
var here, _ = os.Getwd()

// world is a made-up machine: a home, a project to stand in, a data folder, and
// an environment that holds nothing else.
type world struct {
	*Machine
	t                        testing.TB
	dir, home, project, self string
	env                      map[string]string
	out                      bytes.Buffer
	health                   client.Health // what the fake hub says
}

var aMorning = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)

// newWorld stands outside of the temporary directory as far as nod can tell,
// and its paths are short enough for a socket.
func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	dir = resolved(dir)
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	w := &world{t: t, dir: dir, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), self: filepath.Join(dir, "bin", "nod")}
	for _, d := range []string{w.home, w.project, filepath.Join(dir, "tmp")} {
		must(t, os.MkdirAll(d, 0o700))
	}
	t.Chdir(w.project)
	w.env = map[string]string{"HOME": w.home, "PATH": "/usr/bin:/bin"}
	w.script(w.self, "exit 0")
	w.Machine = &Machine{
		Stdin: strings.NewReader(""), Stdout: &w.out, Stderr: &w.out, Version: "v1.2.3",
		Getenv: func(name string) string { return w.env[name] }, DataDir: filepath.Join(dir, "data"),
		say: words.In(words.English), host: w.fakeHost(),
	}
	return w
}

func (w *world) fakeHost() host {
	return host{
		now: func() time.Time { return aMorning }, executable: func() (string, error) { return w.self, nil },
		lookPath: func(name string) (string, error) {
			path := filepath.Join(w.dir, "path", name)
			if _, err := os.Stat(path); err != nil {
				return "", errors.New(name + " is not in PATH")
			}
			return path, nil
		},
		terminal: func() (int, bool) { return 0, false },
		attended: func() bool { return false },
		managed:  filepath.Join(w.dir, "managed"),
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write fills a file below the world's folder.
func (w *world) write(name, text string) string {
	w.t.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(w.dir, name)
	}
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (w *world) script(path, body string) string {
	w.t.Helper()
	if runtime.GOOS == "windows" {
		w.t.Skip("programs of these worlds are shell scripts")
	}
	path = w.write(path, "#!/bin/sh\n"+body+"\n")
	must(w.t, os.Chmod(path, 0o755))
	return path
}

func (w *world) read(path string) string {
	w.t.Helper()
	b, err := os.ReadFile(path)
	must(w.t, err)
	return string(b)
}

func (w *world) userSettings() string { return filepath.Join(w.home, ".claude", "settings.json") }

// run executes a command line and returns what a person sees.
func (w *world) run(args ...string) (string, error) {
	w.t.Helper()
	w.out.Reset()
	root := &cobra.Command{Use: "nod", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(w.Commands()...)
	root.SetArgs(args)
	err := root.ExecuteContext(w.t.Context())
	return strings.ReplaceAll(w.out.String(), w.dir, "$DIR"), err
}

func (w *world) mustRun(args ...string) string {
	w.t.Helper()
	out, err := w.run(args...)
	if err != nil {
		w.t.Fatalf("nod %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// files is everything below the world's folder and what is in it.
func (w *world) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	must(w.t, filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all[path] = w.read(path)
		}
		return err
	}))
	return all
}

func (w *world) wantUntouched(before map[string]string) {
	w.t.Helper()
	if after := w.files(); !maps.Equal(before, after) {
		w.t.Errorf("files were\n%q\nand are\n%q", before, after)
	}
}

// startHub puts a hub into the data folder that answers w.health.
func (w *world) startHub() {
	w.t.Helper()
	must(w.t, os.MkdirAll(w.DataDir, 0o700))
	listener, err := net.Listen("unix", app.Socket(w.DataDir))
	must(w.t, err)
	all := nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	w.health = client.Health{
		OK: true, Status: "ok", Version: "v1.2.3", Now: aMorning, Rights: all, Listen: "http://127.0.0.1:8742",
		You: &nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk"},
	}
	server := &http.Server{Handler: http.HandlerFunc(w.sayHealth), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	w.t.Cleanup(func() { _ = server.Close() })
}

func (w *world) sayHealth(res http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(res).Encode(w.health)
}

// golden compares with a page in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(here, "testdata", name)
	if *update {
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Errorf("%s: the page is\n%s\nwant\n%s", name, got, want)
	}
}

var languages = map[string]words.Lang{"en": words.English, "pl": words.Polish, "ja": words.Japanese}
