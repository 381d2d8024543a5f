package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
)

// Save implements hub.Store. Only the newest state is kept, one for each
// version of what a state means; one that does not fit the log is replaced
// also by an older one.
func (s *Store) Save(ctx context.Context, state nod.State) error {
	body, err := record.EncodeState(state)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `INSERT INTO state (version, seq, hash, body) VALUES ($1, $2, $3, $4)
		ON CONFLICT (version) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, body = excluded.body
		WHERE excluded.seq >= state.seq OR NOT EXISTS (SELECT FROM events e WHERE e.seq = state.seq AND e.hash = state.hash)`,
		state.Version, int64(state.Seq), state.Hash[:], body)
	return s.explain(err)
}

// Load implements hub.Store.
func (s *Store) Load(ctx context.Context) (nod.State, error) {
	base, err := s.Base(ctx)
	if err != nil {
		return nod.State{}, err
	}
	empty := base.Base()
	var body []byte
	var fits bool
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT body, EXISTS (SELECT FROM events e WHERE e.seq = state.seq AND e.hash = state.hash) FROM state WHERE version = $1`,
			empty.Version).Scan(&body, &fits)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return empty, nil
	}
	if err != nil {
		return nod.State{}, s.explain(err)
	}
	return record.State(body, fits, base), nil
}
