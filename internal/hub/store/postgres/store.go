// Package postgres keeps the log, tokens, passkeys and subscriptions in a PostgreSQL
// database that several hubs may share.
//
// One connection appends, a few read, one listens. When Append returns, its events
// have been committed. Hubs append one after the other, because each locks the row
// that says where the log ends, for the time of one pipeline.
package postgres

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

var (
	_ hub.Store       = (*Store)(nil)
	_ hub.Historian   = (*Store)(nil)
	_ hub.Watcher     = (*Store)(nil)
	_ hub.Leaser      = (*Store)(nil)
	_ hub.Queue       = (*Store)(nil)
	_ hub.Clock       = (*Store)(nil)
	_ hub.Broadcaster = (*Store)(nil)
	_ auth.TokenStore = (*Store)(nil)
)

// Store is the log, and what else hubs keep beside it.
type Store struct {
	*database
	tokens
	passkeys
	subscriptions
	agreements
	broadcasts

	id      string
	channel string
	sealer  *sealer
	inbox   inbox // what other hubs wrote and this one has not read yet
}

// What hubs keep beside the log.
type (
	tokens        struct{ *database }
	passkeys      struct{ *database }
	subscriptions struct{ *database }
	agreements    struct{ *database } // which hub does what, and what the next one must know
)

// Open connects, and makes or brings up to date what nod keeps there. The
// address is a URL as libpq knows it: postgres://user@host:5432/database.
func Open(ctx context.Context, address string) (*Store, error) {
	return open(ctx, address, schema(), limits{})
}

// OpenReader opens what is there to be looked at: it makes nothing, and is
// content with a standby.
func OpenReader(ctx context.Context, address string) (*Store, error) {
	s, err := newStore(address, limits{})
	if err != nil {
		return nil, err
	}
	var n int
	err = s.readers.with(ctx, func(c *pgx.Conn) error {
		n, err = version(ctx, c)
		return err
	})
	if err != nil && missing(err) || err == nil && n == 0 {
		err = nod.Errorf(nod.NotFound, "there is no log in %s: nod serve makes one when it first starts", s.place)
	}
	if err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	return s, nil
}

// open also takes the steps of the schema and smaller limits, for tests.
func open(ctx context.Context, address string, steps []string, l limits) (*Store, error) {
	s, err := newStore(address, l)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, steps); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	if s.sealer.key, err = s.sealKey(ctx); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	return s, nil
}

func newStore(address string, l limits) (*Store, error) {
	d, err := connect(address, l)
	if err != nil {
		return nil, err
	}
	s := &Store{
		database: d, tokens: tokens{d}, passkeys: passkeys{d}, subscriptions: subscriptions{d}, agreements: agreements{d},
		id: rand.Text(), channel: "nod." + d.place.schema,
	}
	s.sealer = &sealer{id: s.id}
	s.inbox.open = s.sealer.open
	s.broadcasts = broadcasts{database: d, sealer: s.sealer, channel: s.channel}
	return s, nil
}
