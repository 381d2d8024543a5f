package postgres

import (
	"os"
	"path/filepath"
	"testing"

	"nod/internal/hub"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
)

var server *pgtest.Server

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run, &server)) }

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) hub.Store { return fresh(t) })
}

func TestTokens(t *testing.T) {
	t.Parallel()
	storetest.Tokens(t, func(t *testing.T) auth.TokenStore { return fresh(t) })
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()
	storetest.Subscriptions(t, func(t *testing.T) storetest.SubscriptionStore { return fresh(t) })
}

func TestPasskeys(t *testing.T) {
	t.Parallel()
	storetest.Passkeys(t, func(t *testing.T) passkey.KeyStore { return fresh(t) })
}

func TestDurable(t *testing.T) {
	t.Parallel()
	addresses := map[string]string{}
	storetest.Durable(t, func(t *testing.T, dir string) storetest.Closer {
		if addresses[dir] == "" {
			addresses[dir] = server.Database(t)
		}
		return opened(t, addresses[dir])
	})
}

func TestSubscribersOutliveTheProcess(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	storetest.SubscriptionsDurable(t, func(t *testing.T) storetest.SubscriptionStore { return opened(t, address) })
}

func TestPasskeysOutliveTheProcess(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	storetest.PasskeysDurable(t, func(t *testing.T) passkey.KeyStore { return opened(t, address) })
}

// fresh is a store of a database of its own.
func fresh(t testing.TB) *Store {
	t.Helper()
	return opened(t, server.Database(t))
}

func opened(t testing.TB, address string) *Store {
	t.Helper()
	return openedWith(t, address, limits{})
}

// openedOlder is the store as the release before opens it.
func openedOlder(t testing.TB, address string) *Store {
	t.Helper()
	return openedAt(t, address, schema()[:1], limits{})
}

func openedWith(t testing.TB, address string, l limits) *Store {
	t.Helper()
	return openedAt(t, address, schema(), l)
}

func openedAt(t testing.TB, address string, steps []string, l limits) *Store {
	t.Helper()
	s, err := open(t.Context(), address, steps, l)
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

// named is a file for a secret.
func named(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pgpass")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrune(t *testing.T) {
	t.Parallel()
	storetest.Prune(t, func(t *testing.T) storetest.Pruner { return fresh(t) })
}
