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
// has it all, and reading it again is better than not to start.
func (r *Reader) Load(ctx context.Context) (nod.State, error) {
	state := nod.NewState()
	var body []byte
	err := r.db.QueryRowContext(ctx, `SELECT body FROM state`).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return state, nil
	}
	if err != nil {
		return nod.State{}, explain(r.path, err)
	}
	if json.Unmarshal(body, &state) != nil {
		return nod.NewState(), nil
	}
	return state, nil
}
