package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nod/internal/hub/record"
	"nod/internal/net/passkey"
)

var _ passkey.KeyStore = (*Store)(nil)

// PutPasskey implements passkey.KeyStore.
func (s *Store) PutPasskey(ctx context.Context, k passkey.Key) error {
	return s.putPasskey(ctx, k, record.PasskeyExists(k.ID), `true`)
}

// PutFirstPasskey implements passkey.KeyStore.
func (s *Store) PutFirstPasskey(ctx context.Context, k passkey.Key) error {
	return s.putPasskey(ctx, k, record.NotFirstPasskey(), `NOT EXISTS (SELECT 1 FROM passkeys)`)
}

func (s *Store) putPasskey(ctx context.Context, k passkey.Key, conflict error, where string) error {
	return s.changed(ctx, conflict, `INSERT INTO passkeys (`+record.PasskeyColumns+`)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE `+where+` ON CONFLICT DO NOTHING`, record.PasskeyValues(k)...)
}

// Passkeys implements passkey.KeyStore.
func (s *Store) Passkeys(ctx context.Context) ([]passkey.Key, error) {
	return list(ctx, s.Reader, record.Passkey, `SELECT `+record.PasskeyColumns+` FROM passkeys ORDER BY created, id`)
}

// UsePasskey implements passkey.KeyStore.
func (s *Store) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error {
	missing := record.NoPasskey(id)
	err := s.changed(ctx, missing, `UPDATE passkeys SET count = ?1, used = ?2 WHERE id = ?3 AND (count < ?1 OR count = 0 AND ?1 = 0)`, count, record.Time(at), id)
	if !errors.Is(err, missing) {
		return err
	}
	var was uint32
	switch err := s.db.QueryRowContext(ctx, `SELECT count FROM passkeys WHERE id = ?`, id).Scan(&was); {
	case errors.Is(err, sql.ErrNoRows):
		return missing
	case err != nil:
		return explain(s.path, err)
	}
	return record.PasskeyReplayed(id, count, was)
}

// DeletePasskey implements passkey.KeyStore.
func (s *Store) DeletePasskey(ctx context.Context, id string) error {
	return s.changed(ctx, record.NoPasskey(id), `DELETE FROM passkeys WHERE id = ?`, id)
}
