package sqlite

import (
	"path/filepath"
	"runtime"
	"testing"

	"nod/internal/hub"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/auth"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) hub.Store { return quick(t, file(t)) })
}

func TestTokens(t *testing.T) {
	storetest.Tokens(t, func(t *testing.T) auth.TokenStore { return quick(t, file(t)) })
}

func TestSubscriptions(t *testing.T) {
	storetest.Subscriptions(t, func(t *testing.T) storetest.SubscriptionStore { return quick(t, file(t)) })
}

func TestDurable(t *testing.T) {
	storetest.Durable(t, func(t *testing.T, dir string) storetest.Closer {
		return opened(t, filepath.Join(dir, "nod.db"))
	})
}

// file is where a test keeps its log: a name with everything in it that a URI
// could trip over.
func file(t testing.TB) string {
	odd := "?x=1&#%41;č"
	if runtime.GOOS == "windows" {
		odd = odd[1:]
	}
	return filepath.Join(t.TempDir(), "a b", odd, "nod.db")
}

// opened is a store that is closed when the test ends, if it was not before.
func opened(t testing.TB, path string) *Store {
	t.Helper()
	return openedWith(t, path)
}

// quick does not wait for the disk, for tests of everything but that.
func quick(t testing.TB, path string) *Store {
	t.Helper()
	return openedWith(t, path, "synchronous(off)")
}

func openedWith(t testing.TB, path string, pragmas ...string) *Store {
	t.Helper()
	s, err := open(t.Context(), path, schema(), pragmas)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestAppendFlushes(t *testing.T) {
	s := opened(t, file(t))
	var journal string
	var synchronous int
	if err := s.writer.QueryRow(`SELECT journal_mode, synchronous FROM pragma_journal_mode, pragma_synchronous`).Scan(&journal, &synchronous); err != nil {
		t.Fatal(err)
	}
	if journal != "wal" || synchronous != 2 {
		t.Errorf("journal_mode %s, synchronous %d; want wal and 2 (full)", journal, synchronous)
	}
}

func TestPrune(t *testing.T) {
	storetest.Prune(t, func(t *testing.T) storetest.Pruner { return quick(t, file(t)) })
}
