package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/postgres"
	"nod/internal/hub/store/storetest"
)

// The log is in PostgreSQL: the hub is killed and PostgreSQL is restarted while
// a hook waits, and the answer still arrives.
func TestTheLogIsInPostgreSQL(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	w := worldWithoutHub(t, rig.Options{})
	w.writeConfig(t, "store = \""+server.Database(t)+"\"\n")
	w.startHub(t)
	call := fakeapi.Bash(`python3 -c "print('kept elsewhere')"`)
	w.API.On("wait for me", fakeapi.Use(call), fakeapi.Say("thank you"))
	s := w.StartTUI(t)
	s.Prompt(t, "wait for me")
	before := w.one(t)

	w.killHub(t)
	w.startHub(t)
	w.one(t)
	server.Stop(t, syscall.SIGQUIT)
	server.Start(t)

	w.stillWaits(t, s, before, call, "kept elsewhere")
	w.ok(t, "log", "verify")
	if out := w.ok(t, "store", "status"); !strings.Contains(out, "PostgreSQL t1 at 127.0.0.1") {
		t.Errorf("store status said %q", out)
	}
	if _, err := os.Stat(filepath.Join(w.data, "nod.db")); err == nil {
		t.Error("there is a nod.db beside it")
	}
}

// What is old goes while the hub runs; the chain can still be checked, by the
// hub, in an export and in a copy, and the hub starts again from what is left.
func TestAPrunedLogIsStillVerified(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	w := worldWithoutHub(t, rig.Options{})
	address := server.Database(t)
	w.writeConfig(t, "store = \""+address+"\"\n")
	store, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	var c storetest.Chain // of last spring
	if err := store.Append(t.Context(), 0, c.Notes(t, 700)); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	w.startHub(t)
	if out := w.ok(t, "store", "prune", "--yes", "--keep", "30d", "--export", filepath.Join(w.data, "old.csv")); !strings.Contains(out, "700 events") {
		t.Errorf("store prune said %q", out)
	}
	if out := w.ok(t, "log", "verify"); !strings.Contains(out, "Events up to 700 were pruned") {
		t.Errorf("log verify said %q", out)
	}
	w.killHub(t)
	w.startHub(t)
	file := filepath.Join(w.data, "log.jsonl")
	w.ok(t, "log", "export", file)
	for _, args := range [][]string{{"log", "verify"}, {"log", "verify", file}} {
		if out := w.ok(t, args...); !strings.Contains(out, "The log is whole: ") {
			t.Errorf("%v said %q", args, out)
		}
	}
	w.killHub(t)
	w.ok(t, "store", "copy", "--from", "postgres", "--to", "sqlite")
	if err := os.Remove(filepath.Join(w.data, "nod.toml")); err != nil {
		t.Fatal(err)
	}
	w.startHub(t)
	if out := w.ok(t, "log", "verify"); !strings.Contains(out, "Events up to 700 were pruned") {
		t.Errorf("log verify said %q after the way back", out)
	}
}
