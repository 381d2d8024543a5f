package sqlite

import (
	"context"
	"database/sql"

	"nod/internal/hub/record"
)

// list reads all rows of a query.
func list[T any](ctx context.Context, r *Reader, scan func(record.Row) (T, error), text string, args ...any) (all []T, err error) {
	rows, err := r.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, explain(r.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, explain(r.path, err)
		}
		all = append(all, one)
	}
	return all, explain(r.path, rows.Err())
}

// changed runs a statement, and fails with none if it changed nothing.
func (s *Store) changed(ctx context.Context, none error, text string, args ...any) error {
	done, err := s.writer.ExecContext(ctx, text, args...)
	if err != nil {
		return explain(s.path, err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return none
	}
	return nil
}

// transact runs f in a transaction of the writer.
func (s *Store) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return explain(s.path, err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := f(tx); err != nil {
		return explain(s.path, err)
	}
	return explain(s.path, tx.Commit())
}
