package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/archive"
	"nod/internal/hub/attachment"
	"nod/internal/hub/store/mem"
	"nod/internal/hub/store/postgres"
	"nod/internal/hub/store/sqlite"
	"nod/internal/net/auth"
	"nod/internal/net/passkey"
	"nod/internal/net/push"
)

// store is everything that the hub stores.
type store interface {
	hub.Store
	auth.TokenStore
	push.Subscriptions
	passkey.KeyStore
	Close() error
}

// openStore opens the store of the configuration, by default the database in the data
// directory; a demo keeps nothing.
func openStore(ctx context.Context, o Options) (store, error) {
	if o.Demo {
		return mem.New(), nil
	}
	if !Postgres(o.Config.Store) {
		return OpenArchive(ctx, o.Data, o.Config.Store)
	}
	lock, err := sqlite.Lock(o.Data)
	if err != nil {
		return nil, err
	}
	s, err := postgres.Open(ctx, o.Config.Store)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return sharedStore{s, lock}, nil
}

// sharedStore is a log that other hubs share, with the lock of this hub's own data
// directory.
type sharedStore struct {
	*postgres.Store
	lock io.Closer
}

// Close closes both.
func (s sharedStore) Close() error { return errors.Join(s.Store.Close(), s.lock.Close()) }

// ArchiveStore is a store that can be copied and pruned.
type ArchiveStore interface {
	archive.Store
	Place() string // without secrets
	Close() error
}

// OpenArchive opens a store by its name: postgres://…, a file, or "sqlite" (or
// nothing) for the file in the data directory.
func OpenArchive(ctx context.Context, data, name string) (ArchiveStore, error) {
	if Postgres(name) {
		return postgres.Open(ctx, name)
	}
	path, err := storeFile(data, name)
	if err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, path)
}

// StoreReader reads a store without changing it, even while a hub uses it.
type StoreReader interface {
	archive.Inspector
	Close() error
}

// OpenStoreReader opens a store for reading.
func OpenStoreReader(ctx context.Context, data, name string) (StoreReader, error) {
	if Postgres(name) {
		return postgres.OpenReader(ctx, name)
	}
	path, err := storeFile(data, name)
	if err != nil {
		return nil, err
	}
	return sqlite.OpenReader(ctx, path)
}

// Postgres reports whether a store's name is the address of a PostgreSQL.
func Postgres(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

func storeFile(data, name string) (string, error) {
	switch {
	case name == "" || name == "sqlite":
		return filepath.Join(data, "nod.db"), nil
	case strings.Contains(name, "://"):
		// The name is not repeated: an address may have a password in it.
		return "", nod.Errorf(nod.Invalid, "that is no store nod knows: write sqlite, the path of a file, or postgres://user@host:5432/database")
	}
	return filepath.Abs(name)
}

// hubName distinguishes hubs that share a log, and is the same at every start. A hub
// without a shared log needs none.
func hubName(s store, data string) string {
	if _, shared := s.(hub.Watcher); !shared {
		return ""
	}
	return machineName(data)
}

// machineName distinguishes hubs on different machines, and of different people on one.
func machineName(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hostname() + "-" + hex.EncodeToString(sum[:3])
}

// fileStore keeps files for agents: those of all hubs, where they share a store.
func fileStore(s store, data string) attachment.FileStore {
	all := attachment.FileStore{Dir: filepath.Join(data, "attachments"), Now: time.Now}
	if with, ok := s.(interface{ Files() *postgres.Files }); ok {
		all.Shared = with.Files()
	}
	return all
}
