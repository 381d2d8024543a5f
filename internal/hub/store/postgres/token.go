package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/net/auth"
)

// Put implements auth.Vault.
func (s *Store) Put(ctx context.Context, t auth.Token) error {
	_, err := s.exec(ctx, `INSERT INTO tokens (id, name, rights, room, hash, created, expires, used) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, rights = excluded.rights, room = excluded.room, hash = excluded.hash,
			created = excluded.created, expires = excluded.expires, used = excluded.used`,
		t.ID, t.Name, t.Rights.String(), t.Room, t.Hash[:], stamp(t.Created), optional(t.Expires), optional(t.Used))
	return s.explain(err)
}

const selectToken = `SELECT id, name, rights, room, hash, created, expires, used FROM tokens `

// Get implements auth.Vault.
func (s *Store) Get(ctx context.Context, id string) (auth.Token, error) {
	list, err := list(ctx, s, scanToken, selectToken+`WHERE id = $1`, id)
	if err == nil && len(list) == 0 {
		err = unknown(id)
	}
	if err != nil {
		return auth.Token{}, err
	}
	return list[0], nil
}

// List implements auth.Vault.
func (s *Store) List(ctx context.Context) ([]auth.Token, error) {
	return list(ctx, s, scanToken, selectToken+`ORDER BY created, id`)
}

// Delete implements auth.Vault.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.changed(ctx, unknown(id), `DELETE FROM tokens WHERE id = $1`, id)
}

// Touch implements auth.Vault.
func (s *Store) Touch(ctx context.Context, id string, at time.Time) error {
	return s.changed(ctx, unknown(id), `UPDATE tokens SET used = $1 WHERE id = $2`, stamp(at), id)
}

func unknown(id string) error { return nod.Errorf(nod.NotFound, "there is no token %q", id) }

func scanToken(row pgx.Row) (t auth.Token, err error) {
	var rights, created string
	var expires, used *string
	var hash []byte
	if err = row.Scan(&t.ID, &t.Name, &rights, &t.Room, &hash, &created, &expires, &used); err != nil {
		return auth.Token{}, err
	}
	if copy(t.Hash[:], hash) != len(t.Hash) {
		return auth.Token{}, nod.Errorf(nod.Internal, "token %q is damaged: delete it and pair again", t.ID)
	}
	if rights != "" {
		t.Rights, err = nod.ParseRights(rights)
	}
	return t, errors.Join(err, setTime(&t.Created, created), setOptional(&t.Expires, expires), setOptional(&t.Used, used))
}

// list reads rows of one sort of thing.
func list[T any](ctx context.Context, s *Store, scan func(pgx.Row) (T, error), text string, args ...any) (all []T, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, text, args...)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (T, error) { return scan(row) })
		return err
	})
	return all, s.explain(err)
}

// changed runs a statement that must find what it changes.
func (s *Store) changed(ctx context.Context, none error, text string, args ...any) error {
	rows, err := s.exec(ctx, text, args...)
	if err == nil && rows == 0 {
		return none
	}
	return s.explain(err)
}

// timeLayout has a fixed width, unlike time.RFC3339Nano, so that text sorts as
// time does.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeLayout) }

func optional(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := stamp(*t)
	return &text
}

func setTime(t *time.Time, s string) (err error) {
	*t, err = time.Parse(timeLayout, s)
	return err
}

func setOptional(t **time.Time, s *string) error {
	if s == nil {
		return nil
	}
	*t = new(time.Time)
	return setTime(*t, *s)
}
