package sqlite

import (
	"context"
	"database/sql"

	"nod"
)

// Append implements hub.Store: one transaction, one flush, however many events.
func (s *Store) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := ctx.Err(); err != nil {
		return explain(s.path, err)
	}
	if len(es) == 0 {
		return nil
	}
	if err := ready(after, es); err != nil {
		return err
	}
	// Once begun it is ended: a caller that lost patience half-way could not
	// know whether the events are there.
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

// ready refuses events that would leave a gap or have no bytes; both can only
// be mistakes of the caller.
func ready(after nod.Seq, es []nod.Event) error {
	for i := range es {
		before := after + nod.Seq(i)
		switch {
		case es[i].Seq != before+1:
			return nod.Errorf(nod.Internal, "event %d cannot follow event %d in the log", es[i].Seq, before)
		case len(es[i].Body()) == 0:
			return nod.Errorf(nod.Internal, "event %d was not sealed", es[i].Seq)
		}
	}
	return nil
}

func conflict(ctx context.Context, tx *sql.Tx, after nod.Seq) error {
	var head nod.Seq
	if err := tx.QueryRowContext(ctx, `SELECT seq FROM head`).Scan(&head); err != nil {
		return err
	}
	return nod.Errorf(nod.Conflict, "the log ends at event %d, not at %d: somebody else wrote to it", head, after)
}

// column is an id as an index keeps it: none as NULL, which is not indexed,
// and odd bytes as they come out in the JSON of the body.
func column(id string) sql.NullString {
	if !nod.Clean(id) {
		id = string([]rune(id))
	}
	return sql.NullString{String: id, Valid: id != ""}
}
