package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"nod"
	"nod/internal/passkey"
)

var _ passkey.Vault = (*Store)(nil)

// PutPasskey implements passkey.Vault.
func (s *Store) PutPasskey(ctx context.Context, k passkey.Key) error {
	done, err := s.writer.ExecContext(ctx, `INSERT INTO passkeys (id, name, site, credential, public, count, transports, created, used)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		k.ID, k.Name, k.Site, k.Credential, k.Public, k.Count, strings.Join(k.Transports, ","), stamp(k.Created), optional(k.Used))
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return nod.Errorf(nod.Conflict, "the passkey %q is there already", k.ID)
	}
	return nil
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
	return s.changePasskey(ctx, id, `UPDATE passkeys SET count = ?, used = ? WHERE id = ?`, count, stamp(at), id)
}

// DeletePasskey implements passkey.Vault.
func (s *Store) DeletePasskey(ctx context.Context, id string) error {
	return s.changePasskey(ctx, id, `DELETE FROM passkeys WHERE id = ?`, id)
}

func (s *Store) changePasskey(ctx context.Context, id, text string, args ...any) error {
	done, err := s.writer.ExecContext(ctx, text, args...)
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return nod.Errorf(nod.NotFound, "there is no passkey %q", id)
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
