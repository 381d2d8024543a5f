package postgres

import (
	"context"

	"nod/internal/hub/record"
)

// Keep stores something under a name, for the hub that does that work next.
func (s agreements) Keep(ctx context.Context, name string, body []byte) error {
	_, err := s.exec(ctx, `INSERT INTO memories (name, body) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET body = excluded.body`, name, append([]byte{}, body...))
	return s.explain(err)
}

// Kept is what was kept under a name; nil when nothing was.
func (s agreements) Kept(ctx context.Context, name string) ([]byte, error) {
	found, err := list(ctx, s.database, func(row record.Row) (body []byte, err error) { return body, row.Scan(&body) }, `SELECT body FROM memories WHERE name = $1`, name)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}
