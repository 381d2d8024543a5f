package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nod/internal/hub/record"
	"nod/internal/net/passkey"
)

var _ passkey.KeyStore = (*Store)(nil)

// PutPasskey implements passkey.KeyStore.
func (s passkeys) PutPasskey(ctx context.Context, k passkey.Key) error {
	return s.changed(ctx, record.PasskeyExists(k.ID),
		`INSERT INTO passkeys (`+record.PasskeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`, record.PasskeyValues(k)...)
}

// PutFirstPasskey implements passkey.KeyStore. Hubs put one after the other, or each of
// two would find no passkey.
func (s passkeys) PutFirstPasskey(ctx context.Context, k passkey.Key) error {
	var rows int64
	err := s.readers.with(ctx, func(c *pgx.Conn) error {
		var b pgx.Batch
		b.Queue(`SELECT pg_advisory_xact_lock($1)`, s.lockKey("passkeys"))
		b.Queue(`INSERT INTO passkeys (`+record.PasskeyColumns+`) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
			WHERE NOT EXISTS (SELECT FROM passkeys) ON CONFLICT DO NOTHING`, record.PasskeyValues(k)...).
			Exec(func(done pgconn.CommandTag) error { rows = done.RowsAffected(); return nil })
		return c.SendBatch(ctx, &b).Close()
	})
	if err == nil && rows == 0 {
		return record.NotFirstPasskey()
	}
	return s.explain(err)
}

// Passkeys implements passkey.KeyStore.
func (s passkeys) Passkeys(ctx context.Context) ([]passkey.Key, error) {
	return list(ctx, s.database, record.Passkey, `SELECT `+record.PasskeyColumns+` FROM passkeys ORDER BY created, id`)
}

// UsePasskey implements passkey.KeyStore.
func (s passkeys) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error {
	rows, err := s.exec(ctx, `UPDATE passkeys SET count = $1, used = $2 WHERE id = $3 AND (count < $1 OR count = 0 AND $1 = 0)`, int64(count), record.Time(at), id)
	if err != nil || rows > 0 {
		return s.explain(err)
	}
	was, err := list(ctx, s.database, func(row record.Row) (was uint32, err error) { return was, row.Scan(&was) }, `SELECT count FROM passkeys WHERE id = $1`, id)
	switch {
	case err != nil:
		return err
	case len(was) == 0:
		return record.NoPasskey(id)
	}
	return record.PasskeyReplayed(id, count, was[0])
}

// DeletePasskey implements passkey.KeyStore.
func (s passkeys) DeletePasskey(ctx context.Context, id string) error {
	return s.changed(ctx, record.NoPasskey(id), `DELETE FROM passkeys WHERE id = $1`, id)
}
