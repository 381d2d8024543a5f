package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nod/internal/hub/record"
	"nod/internal/net/auth"
)

// Put implements auth.TokenStore.
func (s *Store) Put(ctx context.Context, t auth.Token) error {
	_, err := s.writer.ExecContext(ctx, `INSERT INTO tokens (`+record.TokenColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET name = excluded.name, rights = excluded.rights, room = excluded.room, hash = excluded.hash,
			created = excluded.created, expires = excluded.expires, used = excluded.used`, record.TokenValues(t)...)
	return explain(s.path, err)
}

const selectToken = `SELECT ` + record.TokenColumns + ` FROM tokens `

// Get implements auth.TokenStore.
func (s *Store) Get(ctx context.Context, id string) (auth.Token, error) {
	t, err := record.Token(s.db.QueryRowContext(ctx, selectToken+`WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return auth.Token{}, record.NoToken(id)
	}
	return t, explain(s.path, err)
}

// List implements auth.TokenStore.
func (s *Store) List(ctx context.Context) ([]auth.Token, error) {
	return list(ctx, s.Reader, record.Token, selectToken+`ORDER BY created, id`)
}

// Delete implements auth.TokenStore.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.changed(ctx, record.NoToken(id), `DELETE FROM tokens WHERE id = ?`, id)
}

// Touch implements auth.TokenStore.
func (s *Store) Touch(ctx context.Context, id string, at time.Time) error {
	return s.changed(ctx, record.NoToken(id), `UPDATE tokens SET used = ? WHERE id = ?`, record.Time(at), id)
}
