package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"nod"
	"nod/internal/net/passkey"
)

var _ passkey.KeyStore = (*Store)(nil)

// PutPasskey implements passkey.Vault.
func (s *Store) PutPasskey(ctx context.Context, k passkey.Key) error {
	return s.putPasskey(ctx, k, nod.Errorf(nod.Conflict, "the passkey %q is there already", k.ID), `true`)
}

// PutFirstPasskey implements passkey.Vault.
func (s *Store) PutFirstPasskey(ctx context.Context, k passkey.Key) error {
	return s.putPasskey(ctx, k, nod.Errorf(nod.Conflict, "there is a passkey already"), `NOT EXISTS (SELECT 1 FROM passkeys)`)
}

func (s *Store) putPasskey(ctx context.Context, k passkey.Key, conflict error, where string) error {
	return s.changePasskey(ctx, conflict, `INSERT INTO passkeys (id, name, site, credential, public, count, transports, created, used)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE `+where+` ON CONFLICT DO NOTHING`,
		k.ID, k.Name, k.Site, k.Credential, k.Public, k.Count, strings.Join(k.Transports, ","), stamp(k.Created), optional(k.Used))
}

// Passkeys implements passkey.Vault.
func (s *Store) Passkeys(ctx context.Context) ([]passkey.Key, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, name, site, credential, public, count, transports, created, used FROM passkeys ORDER BY created, id`)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var list []passkey.Key
	for rows.Next() {
		k, err := scanPasskey(rows)
		if err != nil {
			return nil, explain(s.path, err)
		}
		list = append(list, k)
	}
	return list, explain(s.path, rows.Err())
}

// UsePasskey implements passkey.Vault.
func (s *Store) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error {
	missing := nod.Errorf(nod.NotFound, "there is no passkey %q", id)
	err := s.changePasskey(ctx, missing, `UPDATE passkeys SET count = ?1, used = ?2 WHERE id = ?3 AND (count < ?1 OR count = 0 AND ?1 = 0)`, count, stamp(at), id)
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
	return nod.Errorf(nod.Conflict, "the passkey %q counted %d, and %d before", id, count, was)
}

// DeletePasskey implements passkey.Vault.
func (s *Store) DeletePasskey(ctx context.Context, id string) error {
	return s.changePasskey(ctx, nod.Errorf(nod.NotFound, "there is no passkey %q", id), `DELETE FROM passkeys WHERE id = ?`, id)
}

// changePasskey fails with none when nothing was changed.
func (s *Store) changePasskey(ctx context.Context, none error, text string, args ...any) error {
	done, err := s.writer.ExecContext(ctx, text, args...)
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return none
	}
	return nil
}

func scanPasskey(row interface{ Scan(...any) error }) (k passkey.Key, err error) {
	var transports, created string
	var used sql.NullString
	if err = row.Scan(&k.ID, &k.Name, &k.Site, &k.Credential, &k.Public, &k.Count, &transports, &created, &used); err != nil {
		return passkey.Key{}, err
	}
	if transports != "" {
		k.Transports = strings.Split(transports, ",")
	}
	return k, errors.Join(setTime(&k.Created, created), setOptional(&k.Used, used))
}
