package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nod"
	"nod/internal/net/auth"
)

// Put implements auth.Vault.
func (s *Store) Put(ctx context.Context, t auth.Token) error {
	_, err := s.writer.ExecContext(ctx, `INSERT INTO tokens (id, name, rights, room, hash, created, expires, used) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name, rights = excluded.rights, room = excluded.room, hash = excluded.hash,
			created = excluded.created, expires = excluded.expires, used = excluded.used`,
		t.ID, t.Name, t.Rights.String(), t.Room, t.Hash[:], stamp(t.Created), optional(t.Expires), optional(t.Used))
	return explain(s.path, err)
}

const selectToken = `SELECT id, name, rights, room, hash, created, expires, used FROM tokens `

// Get implements auth.Vault.
func (s *Store) Get(ctx context.Context, id string) (auth.Token, error) {
	t, err := scanToken(s.db.QueryRowContext(ctx, selectToken+`WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Token{}, unknown(id)
	}
	return t, explain(s.path, err)
}

// List implements auth.Vault.
func (s *Store) List(ctx context.Context) ([]auth.Token, error) {
	rows, err := s.db.QueryContext(ctx, selectToken+`ORDER BY created, id`)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var list []auth.Token
	for rows.Next() {
		t, err := scanToken(rows)
		if err != nil {
			return nil, explain(s.path, err)
		}
		list = append(list, t)
	}
	return list, explain(s.path, rows.Err())
}

// Delete implements auth.Vault.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.changeToken(ctx, id, `DELETE FROM tokens WHERE id = ?`, id)
}

// Touch implements auth.Vault.
func (s *Store) Touch(ctx context.Context, id string, at time.Time) error {
	return s.changeToken(ctx, id, `UPDATE tokens SET used = ? WHERE id = ?`, stamp(at), id)
}

func (s *Store) changeToken(ctx context.Context, id, text string, args ...any) error {
	done, err := s.writer.ExecContext(ctx, text, args...)
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return unknown(id)
	}
	return nil
}

func unknown(id string) error { return nod.Errorf(nod.NotFound, "there is no token %q", id) }

func scanToken(row interface{ Scan(...any) error }) (t auth.Token, err error) {
	var rights, created string
	var expires, used sql.NullString
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

// timeLayout has a fixed width, unlike time.RFC3339Nano, so that text sorts as
// time does.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeLayout) }

func optional(t *time.Time) sql.NullString {
	if t == nil {
		return sql.NullString{}
	}
	return sql.NullString{String: stamp(*t), Valid: true}
}

func setTime(t *time.Time, s string) (err error) {
	*t, err = time.Parse(timeLayout, s)
	return err
}

func setOptional(t **time.Time, s sql.NullString) error {
	if !s.Valid {
		return nil
	}
	*t = new(time.Time)
	return setTime(*t, s.String)
}
