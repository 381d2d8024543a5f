package postgres

import (
	"context"
	"time"

	"nod/internal/hub/record"
	"nod/internal/net/auth"
)

// Put implements auth.TokenStore.
func (s tokens) Put(ctx context.Context, t auth.Token) error {
	_, err := s.exec(ctx, `INSERT INTO tokens (`+record.TokenColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, rights = excluded.rights, room = excluded.room, hash = excluded.hash,
			created = excluded.created, expires = excluded.expires, used = excluded.used`, record.TokenValues(t)...)
	return s.explain(err)
}

const selectToken = `SELECT ` + record.TokenColumns + ` FROM tokens `

// Get implements auth.TokenStore.
func (s tokens) Get(ctx context.Context, id string) (auth.Token, error) {
	list, err := list(ctx, s.database, record.Token, selectToken+`WHERE id = $1`, id)
	if err == nil && len(list) == 0 {
		err = record.NoToken(id)
	}
	if err != nil {
		return auth.Token{}, err
	}
	return list[0], nil
}

// List implements auth.TokenStore.
func (s tokens) List(ctx context.Context) ([]auth.Token, error) {
	return list(ctx, s.database, record.Token, selectToken+`ORDER BY created, id`)
}

// Delete implements auth.TokenStore.
func (s tokens) Delete(ctx context.Context, id string) error {
	return s.changed(ctx, record.NoToken(id), `DELETE FROM tokens WHERE id = $1`, id)
}

// Touch implements auth.TokenStore.
func (s tokens) Touch(ctx context.Context, id string, at time.Time) error {
	return s.changed(ctx, record.NoToken(id), `UPDATE tokens SET used = $1 WHERE id = $2`, record.Time(at), id)
}
