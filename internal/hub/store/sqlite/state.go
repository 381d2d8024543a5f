package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"nod"
	"nod/internal/hub/record"
)

// Save implements hub.Store. Only the newest state is kept.
func (s *Store) Save(ctx context.Context, state nod.State) error {
	body, err := record.EncodeState(state)
	if err != nil {
		return err
	}
	_, err = s.writer.ExecContext(ctx, `INSERT INTO state VALUES (1, ?, ?, ?)
		ON CONFLICT DO UPDATE SET seq = excluded.seq, hash = excluded.hash, body = excluded.body`,
		int64(state.Seq), state.Hash[:], body)
	return explain(s.path, err)
}

// Load implements hub.Store.
func (r *Reader) Load(ctx context.Context) (nod.State, error) {
	base, err := r.Base(ctx)
	if err != nil {
		return nod.State{}, err
	}
	var body []byte
	var fits bool
	err = r.db.QueryRowContext(ctx, `SELECT body, EXISTS (SELECT 1 FROM events e WHERE e.seq = state.seq AND e.hash = state.hash) FROM state`).Scan(&body, &fits)
	if errors.Is(err, sql.ErrNoRows) {
		return base.Base(), nil
	}
	if err != nil {
		return nod.State{}, explain(r.path, err)
	}
	return record.State(body, fits, base), nil
}
