package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nod"
	"nod/internal/net/passkey"
)

var _ passkey.KeyStore = (*Store)(nil)

// PutPasskey implements passkey.Vault.
func (s *Store) PutPasskey(ctx context.Context, k passkey.Key) error {
	return s.changed(ctx, nod.Errorf(nod.Conflict, "the passkey %q is there already", k.ID),
		`INSERT INTO passkeys (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`, passkeyValues(k)...)
}

// PutFirstPasskey implements passkey.Vault. Hubs put one after the other, or two
// would each see none.
func (s *Store) PutFirstPasskey(ctx context.Context, k passkey.Key) error {
	var rows int64
	err := s.readers.with(ctx, func(c *pgx.Conn) error {
		var b pgx.Batch
		b.Queue(`SELECT pg_advisory_xact_lock($1)`, s.lockKey("passkeys"))
		b.Queue(`INSERT INTO passkeys (`+passkeyColumns+`) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
			WHERE NOT EXISTS (SELECT FROM passkeys) ON CONFLICT DO NOTHING`, passkeyValues(k)...).
			Exec(func(done pgconn.CommandTag) error { rows = done.RowsAffected(); return nil })
		return c.SendBatch(ctx, &b).Close()
	})
	if err == nil && rows == 0 {
		return nod.Errorf(nod.Conflict, "there is a passkey already")
	}
	return s.explain(err)
}

// passkeyColumns are in the order of passkeyValues.
const passkeyColumns = `id, name, site, credential, public, count, transports, created, used`

func passkeyValues(k passkey.Key) []any {
	return []any{k.ID, k.Name, k.Site, k.Credential, k.Public, int64(k.Count), strings.Join(k.Transports, ","), stamp(k.Created), optional(k.Used)}
}

// Passkeys implements passkey.Vault.
func (s *Store) Passkeys(ctx context.Context) ([]passkey.Key, error) {
	return list(ctx, s, scanPasskey, `SELECT `+passkeyColumns+` FROM passkeys ORDER BY created, id`)
}

// UsePasskey implements passkey.Vault.
func (s *Store) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error {
	rows, err := s.exec(ctx, `UPDATE passkeys SET count = $1, used = $2 WHERE id = $3 AND (count < $1 OR count = 0 AND $1 = 0)`, int64(count), stamp(at), id)
	if err != nil || rows > 0 {
		return s.explain(err)
	}
	was, err := list(ctx, s, func(row pgx.Row) (was uint32, err error) { return was, row.Scan(&was) }, `SELECT count FROM passkeys WHERE id = $1`, id)
	switch {
	case err != nil:
		return err
	case len(was) == 0:
		return noPasskey(id)
	}
	return nod.Errorf(nod.Conflict, "the passkey %q counted %d, and %d before", id, count, was[0])
}

// DeletePasskey implements passkey.Vault.
func (s *Store) DeletePasskey(ctx context.Context, id string) error {
	return s.changed(ctx, noPasskey(id), `DELETE FROM passkeys WHERE id = $1`, id)
}

func noPasskey(id string) error { return nod.Errorf(nod.NotFound, "there is no passkey %q", id) }

func scanPasskey(row pgx.Row) (k passkey.Key, err error) {
	var transports, created string
	var used *string
	if err = row.Scan(&k.ID, &k.Name, &k.Site, &k.Credential, &k.Public, &k.Count, &transports, &created, &used); err != nil {
		return passkey.Key{}, err
	}
	if transports != "" {
		k.Transports = strings.Split(transports, ",")
	}
	return k, errors.Join(setTime(&k.Created, created), setOptional(&k.Used, used))
}
