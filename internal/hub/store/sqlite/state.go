package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nod"
)

// Save implements hub.Store. Only the newest state is kept.
func (s *Store) Save(ctx context.Context, state nod.State) error {
	body, err := json.Marshal(state)
	if err != nil {
		return nod.Errorf(nod.Internal, "the state at event %d cannot be written down", state.Seq).Because(err)
	}
	_, err = s.writer.ExecContext(ctx, `INSERT INTO state VALUES (1, ?, ?, ?)
		ON CONFLICT DO UPDATE SET seq = excluded.seq, hash = excluded.hash, body = excluded.body`,
		int64(state.Seq), state.Hash[:], body)
	return explain(s.path, err)
}

// Load implements hub.Store. A state that does not parse is no state: the log
// has it all, and reading it again is better than not to start. What a pruned
// log no longer has, its checkpoint has.
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
	state := nod.NewState()
	if json.Unmarshal(body, &state) != nil || !base.IsZero() && (!fits || !state.Current()) {
		return base.Base(), nil
	}
	return state, nil
}
