package app

import (
	"log/slog"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/pgtest"
)

func TestAHubWithItsLogInPostgreSQLOwnsItsDataDirectory(t *testing.T) {
	address := pgtest.Start(t).Database(t)
	open := func(data string) (store, error) {
		return openStore(t.Context(), Options{Data: data, Config: Config{Store: address}, Log: slog.New(slog.DiscardHandler)})
	}
	here, there := t.TempDir(), t.TempDir()
	first, err := open(here)
	if err != nil {
		t.Fatal(err)
	}
	if _, shared := first.(hub.Watcher); !shared {
		t.Error("others cannot share it")
	}
	if _, err := open(here); nod.CodeOf(err) != nod.Conflict || err == nil {
		t.Errorf("a second hub in the same place: %v; want Conflict", err)
	}
	second, err := open(there)
	if err != nil {
		t.Fatal("a second hub elsewhere:", err)
	}
	if a, b := hubName(first, here), hubName(second, there); a == b || a == "" || a != hubName(first, here) {
		t.Errorf("they are called %s and %s", a, b)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := open(here)
	if err != nil {
		t.Fatal("after it has ended:", err)
	}
	_, _ = again.Close(), second.Close()
}

func TestTheStoreOfADataDirectoryIsNotShared(t *testing.T) {
	s, err := openStore(t.Context(), Options{Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if name := hubName(s, "/data"); name != "" {
		t.Errorf("it is called %q", name)
	}
	_, err = openStore(t.Context(), Options{Data: t.TempDir(), Config: Config{Store: "mysql://nod:hush@db/nod"}})
	if nod.CodeOf(err) != nod.Invalid || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
}
