package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
)

// Save implements hub.Store. Only the newest state is kept, one for each
// version of what a state means; one that does not fit the log is replaced
// also by an older one.
func (s *Store) Save(ctx context.Context, state nod.State) error {
	body, err := json.Marshal(state)
	if err != nil {
		return nod.Errorf(nod.Internal, "the state at event %d cannot be written down", state.Seq).Because(err)
	}
	_, err = s.exec(ctx, `INSERT INTO state (version, seq, hash, body) VALUES ($1, $2, $3, $4)
		ON CONFLICT (version) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, body = excluded.body
		WHERE excluded.seq >= state.seq OR NOT EXISTS (SELECT FROM events e WHERE e.seq = state.seq AND e.hash = state.hash)`,
		state.Version, int64(state.Seq), state.Hash[:], body)
	return s.explain(err)
}

// Load implements hub.Store. A state that does not parse is no state: the log
// has it all, and reading it again is better than not to start. What a pruned
// log no longer has, its checkpoint has.
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
	state := nod.NewState()
	if json.Unmarshal(body, &state) != nil || !base.IsZero() && (!fits || !state.Current()) {
		return empty, nil
	}
	return state, nil
}
