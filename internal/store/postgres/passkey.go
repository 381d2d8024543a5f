package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/passkey"
)

var _ passkey.Vault = (*Store)(nil)

// PutPasskey implements passkey.Vault.
func (s *Store) PutPasskey(ctx context.Context, k passkey.Key) error {
	return s.changed(ctx, nod.Errorf(nod.Conflict, "the passkey %q is there already", k.ID),
		`INSERT INTO passkeys (id, name, site, credential, public, count, transports, created, used)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
		k.ID, k.Name, k.Site, k.Credential, k.Public, int64(k.Count), strings.Join(k.Transports, ","), stamp(k.Created), optional(k.Used))
}

// Passkeys implements passkey.Vault.
func (s *Store) Passkeys(ctx context.Context) ([]passkey.Key, error) {
	return list(ctx, s, scanPasskey, `SELECT id, name, site, credential, public, count, transports, created, used FROM passkeys ORDER BY created, id`)
}

// UsePasskey implements passkey.Vault.
func (s *Store) UsePasskey(ctx context.Context, id string, count uint32, at time.Time) error {
	return s.changed(ctx, noPasskey(id), `UPDATE passkeys SET count = $1, used = $2 WHERE id = $3`, int64(count), stamp(at), id)
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
