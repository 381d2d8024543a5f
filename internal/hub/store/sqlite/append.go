package sqlite

import (
	"context"
	"database/sql"

	"nod"
	"nod/internal/hub/record"
)

// Append implements hub.Store: one transaction, one flush, however many events.
func (s *Store) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := ctx.Err(); err != nil {
		return explain(s.path, err)
	}
	if len(es) == 0 {
		return nil
	}
	if err := record.Appendable(after, es); err != nil {
		return err
	}
	// Once begun it runs to its end: a caller that gave up half-way could not know
	// whether the events are there.
	return explain(s.path, s.append(context.WithoutCancel(ctx), after, es))
}

func (s *Store) append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	last := es[len(es)-1]
	moved, err := tx.StmtContext(ctx, s.move).ExecContext(ctx, int64(last.Seq), last.Hash[:], int64(after))
	if err != nil {
		return err
	}
	if n, err := moved.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		return conflict(ctx, tx, after)
	}
	insert := tx.StmtContext(ctx, s.insert)
	for i := range es {
		e := &es[i]
		if _, err := insert.ExecContext(ctx, int64(e.Seq), string(e.Kind), column(string(e.AgentID)), column(string(e.RequestID)), e.Body(), e.Hash[:]); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func conflict(ctx context.Context, tx *sql.Tx, after nod.Seq) error {
	var head nod.Seq
	if err := tx.QueryRowContext(ctx, `SELECT seq FROM head`).Scan(&head); err != nil {
		return err
	}
	return nod.Errorf(nod.Conflict, "the log ends at event %d, not at %d: somebody else wrote to it", head, after)
}

// column is record.ID as text, which is what SQLite compares ids with.
func column(id string) any {
	if b := record.ID(id); b != nil {
		return string(b)
	}
	return nil
}
