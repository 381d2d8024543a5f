package store

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub/archive"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/sqlite"
	"nod/internal/hub/store/storetest"
	"nod/internal/machine/env/envtest"
	"nod/internal/net/auth"
	"nod/internal/present/words"
)

type world struct{ *envtest.World }

func newWorld(t *testing.T) *world { return &world{envtest.New(t, Command)} }

// fillLog puts a log into the world's data folder: 48 events, one an hour up to
// now, and a device.
func (w *world) fillLog() {
	w.T.Helper()
	s, err := sqlite.Open(w.T.Context(), filepath.Join(w.DataDir, "nod.db"))
	envtest.Must(w.T, err)
	var c storetest.Chain
	var es []nod.Event
	for i := range 48 {
		es = append(es, c.Next(w.T, nod.Event{Kind: nod.HubStarted, At: time.Now().Add(time.Duration(i-48)*time.Hour + time.Hour/2)}))
	}
	envtest.Must(w.T, s.Append(w.T.Context(), 0, es))
	envtest.Must(w.T, s.Put(w.T.Context(), auth.Token{ID: "phone", Name: "phone", Created: storetest.Dawn}))
	envtest.Must(w.T, s.Close())
}

func (w *world) status(args ...string) (s archive.Status) {
	w.T.Helper()
	envtest.Must(w.T, json.Unmarshal([]byte(w.MustRun(append([]string{"store", "status", "--json"}, args...)...)), &s))
	return s
}

func (w *world) wantFailure(says string, args ...string) {
	w.T.Helper()
	out, err := w.Run(args...)
	if err == nil || !strings.Contains(err.Error(), says) {
		w.T.Errorf("nod %s: %v\n%s\nwant %q", strings.Join(args, " "), err, out, says)
	}
}

func TestPrune(t *testing.T) {
	w := newWorld(t)
	w.fillLog()
	w.wantFailure("90d", "store", "prune")
	w.wantFailure("90d", "store", "prune", "--keep", "0d")
	if out := w.MustRun("store", "prune", "--yes", "--keep", "90d"); !strings.Contains(out, "all 48 events stay") {
		t.Error(out)
	}
	file := filepath.Join(w.Dir, "old.jsonl")
	out := w.MustRun("store", "prune", "--yes", "--keep", "1d", "--export", file)
	if !strings.Contains(out, "Took out 24 events") || !strings.Contains(out, "; 24 stay.") || !strings.Contains(out, "$DIR/data/checkpoint.key") {
		t.Error(out)
	}
	if lines := strings.Count(w.Read(file), "\n"); lines != 24 {
		t.Errorf("%d lines were exported", lines)
	}
	info, err := os.Stat(filepath.Join(w.DataDir, "checkpoint.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", info, err)
	}
	s := w.status()
	if s.Events != 24 || s.Head != 48 || s.Pruned == nil || !s.Pruned.Valid || s.Pruned.Seq != 24 {
		t.Errorf("%+v", s)
	}
	signer := s.Pruned.Signer
	if !strings.Contains(out, signer) {
		t.Errorf("the page does not name the key %s:\n%s", signer, out)
	}
	w.MustRun("store", "prune", "--yes", "--keep", "1d") // nothing more, and the key is kept
	w.Write("data/checkpoint.key", "not a key\n")
	w.wantFailure("checkpoint.key", "store", "prune", "--yes", "--keep", "1d")
}

// Pruning asks a person at a terminal first, and does nothing without one.
func TestPruneAsksFirst(t *testing.T) {
	w := newWorld(t)
	w.fillLog()
	plan := "24 events up to " + day(time.Now().Add(-24*time.Hour-time.Hour/2)) + " are taken out for good; 24 stay."
	file := filepath.Join(w.DataDir, "nod.db")
	before := w.Read(file)

	dry := w.MustRun("store", "prune", "--keep", "1d", "--dry-run")
	for _, want := range []string{plan, "--export FILE does", "Nothing was changed."} {
		if !strings.Contains(dry, want) {
			t.Errorf("a dry run lacks %q:\n%s", want, dry)
		}
	}
	if strings.Contains(dry, "[y/N]") {
		t.Errorf("a dry run asks:\n%s", dry)
	}
	if out := w.MustRun("store", "prune", "--keep", "1d", "--dry-run", "--yes"); !strings.Contains(out, "Nothing was changed.") {
		t.Errorf("a dry run with --yes:\n%s", out)
	}
	if out := w.MustRun("store", "prune", "--keep", "90d", "--dry-run"); !strings.Contains(out, "all 48 events stay") {
		t.Errorf("a dry run with nothing to do:\n%s", out)
	}
	w.wantFailure("\n  nod store prune --export 'my old.jsonl' --keep 1d --yes\n", "store", "prune", "--keep", "1d", "--export", "my old.jsonl")
	if _, err := os.Stat(filepath.Join(w.DataDir, "checkpoint.key")); err == nil || w.Read(file) != before {
		t.Error("the store was touched")
	}

	w.Attended = func() bool { return true }
	for _, no := range []string{"", "\n", "n\n", "no\n", "yesterday\n"} {
		w.Stdin = strings.NewReader(no)
		out := w.MustRun("store", "prune", "--keep", "1d")
		if !strings.Contains(out, plan) || !strings.Contains(out, "Take them out? [y/N]") || !strings.Contains(out, "Nothing was changed.") || w.status().Events != 48 {
			t.Fatalf("%q:\n%s", no, out)
		}
	}
	if out := w.MustRun("store", "prune", "--keep", "90d"); strings.Contains(out, "[y/N]") || !strings.Contains(out, "all 48 events stay") {
		t.Errorf("with nothing to do:\n%s", out)
	}
	w.Printer, w.Stdin = words.In(words.Polish), strings.NewReader("Tak\n")
	if out := w.MustRun("store", "prune", "--keep", "1d"); !strings.Contains(out, "[t/N]") || w.status().Events != 24 {
		t.Errorf("a yes:\n%s", out)
	}
}

// Ctrl-C at the question ends the command at once.
func TestPruneIsCancelled(t *testing.T) {
	w := newWorld(t)
	w.fillLog()
	ctx, cancel := context.WithCancel(t.Context())
	silent, asked := io.Pipe()
	defer asked.Close()
	w.Attended, w.Stdin = func() bool { return true }, silent
	go func() {
		_, _ = asked.Write([]byte("y")) // the question is there, and a person begins to answer
		cancel()
	}()
	before, _ := keepFrom(time.Now(), "1d")
	err := (&commands{w.Env}).runPrune(ctx, pruneFlags{location: &location{data: w.DataDir}, keep: "1d"}, before)
	if err == nil || w.status().Events != 48 {
		t.Errorf("%v, %d events are left", err, w.status().Events)
	}
}

func TestCopyToPostgreSQLAndBack(t *testing.T) {
	database := pgtest.Start(t).Database(t) // a world's own folders are closed to its user
	w := newWorld(t)
	w.fillLog()
	w.wantFailure("From where", "store", "copy", "--from", "sqlite")
	w.wantFailure("names no PostgreSQL", "store", "copy", "--from", "sqlite", "--to", "postgres")
	w.Write("data/nod.toml", "store = \""+database+"\"\n")
	w.wantFailure("no log", "store", "status")
	w.wantFailure("same store", "store", "copy", "--from", "postgres", "--to", database)

	out := w.MustRun("store", "copy", "--from", "sqlite", "--to", "postgres")
	if !strings.Contains(out, "ends at event 48 on both sides") || !strings.Contains(out, "devices: 1") {
		t.Error(out)
	}
	secret := database[strings.Index(database, "nod:")+4 : strings.Index(database, "@")]
	for _, page := range []string{out, w.MustRun("store", "status")} {
		if strings.Contains(page, secret) {
			t.Errorf("the password is in\n%s", page)
		}
	}
	s := w.status()
	if s.Events != 48 || !strings.HasPrefix(s.Place, "PostgreSQL ") || !strings.HasPrefix(s.Server, "PostgreSQL 1") || s.RoundTrip <= 0 {
		t.Errorf("%+v", s)
	}

	w.MustRun("store", "prune", "--yes", "--keep", "1d")
	back := filepath.Join(w.Dir, "back.db")
	w.MustRun("store", "copy", "--from", "postgres", "--to", back)
	w.Write("data/nod.toml", "store = \""+back+"\"\n")
	if again := w.status(); again.Hash != s.Hash || again.Events != 24 || again.Pruned == nil || again.Place != "$DIR/back.db" {
		t.Errorf("%+v", again)
	}
	w.wantFailure("not empty", "store", "copy", "--from", back, "--to", "sqlite")
	w.wantFailure("no store nod knows", "store", "copy", "--from", "mysql://nod:hush@db", "--to", "sqlite")
}

func TestStatusForPeople(t *testing.T) {
	w := newWorld(t)
	w.wantFailure("no log", "store", "status")
	w.fillLog()
	for lang, want := range map[words.Lang]string{words.English: "Events", words.Polish: "Zdarzenia", words.Japanese: "件数"} {
		w.Printer = words.In(lang)
		out := w.MustRun("store", "status")
		if !strings.Contains(out, want) || !strings.Contains(out, "$DIR/data/nod.db") || !strings.Contains(out, "48") {
			t.Error(out)
		}
	}
}
