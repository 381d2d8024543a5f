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

// store is everything that is kept.
type store interface {
	hub.Store
	auth.TokenStore
	push.Subscriptions
	passkey.KeyStore
	Close() error
}

// openStore is what the configuration names, or the database of the data
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

// sharedStore is a log that other hubs have too, and a data directory that is
// this hub's alone.
type sharedStore struct {
	*postgres.Store
	lock io.Closer
}

// Close gives both back.
func (s sharedStore) Close() error { return errors.Join(s.Store.Close(), s.lock.Close()) }

// ArchiveStore is a store that can be looked after as a whole.
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

// StoreReader shows a store without touching it, also while a hub uses it.
type StoreReader interface {
	archive.Inspector
	Close() error
}

// OpenStoreReader opens a store to be looked at.
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
		// Not repeated: what looks like an address may have a password in it.
		return "", nod.Errorf(nod.Invalid, "that is no store nod knows: write sqlite, the path of a file, or postgres://user@host:5432/database")
	}
	return filepath.Abs(name)
}

// hubName tells this hub from others that share its log, and is the same at
// every start; one that shares nothing needs none.
func hubName(s store, data string) string {
	if _, shared := s.(hub.Watcher); !shared {
		return ""
	}
	return machineName(data)
}

// machineName tells a hub from those on other machines, and from those of other people
// on this one.
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
