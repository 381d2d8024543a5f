package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nod"
	"nod/internal/hub/record"
)

// Base is the checkpoint that the log begins with, if it was pruned.
func (r *Reader) Base(ctx context.Context) (nod.Checkpoint, error) {
	c, err := scanCheckpoint(r.db.QueryRowContext(ctx, selectCheckpoint))
	return c, explain(r.path, err)
}

const selectCheckpoint = `SELECT body FROM checkpoint`

func scanCheckpoint(row *sql.Row) (nod.Checkpoint, error) {
	c, err := record.Checkpoint(row)
	if errors.Is(err, sql.ErrNoRows) {
		return nod.Checkpoint{}, nil
	}
	return c, err
}

// Prune replaces the events up to the checkpoint by the checkpoint: both happen, or
// neither. Afterwards the file becomes smaller, if there is room to rewrite it.
func (s *Store) Prune(ctx context.Context, c nod.Checkpoint) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		before, err := scanCheckpoint(tx.QueryRowContext(ctx, selectCheckpoint))
		if err != nil {
			return err
		}
		at, err := record.ScanMark(tx.QueryRowContext(ctx, `SELECT seq, hash FROM events WHERE seq = ?`, int64(c.Seq)))
		if errors.Is(err, sql.ErrNoRows) || err == nil && at.Hash != c.Hash || c.Seq <= before.Seq {
			return nod.Errorf(nod.Conflict, "event %d is not as the checkpoint says: nothing was taken out", c.Seq)
		}
		if err != nil {
			return err
		}
		if err := putCheckpoint(ctx, tx, c); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM events WHERE seq <= ?`, int64(c.Seq))
		return err
	})
	if err == nil {
		// An error does not matter: without room for a second copy the file keeps its
		// size, and what is free in it is used again.
		_, _ = s.writer.ExecContext(ctx, `VACUUM`)
	}
	return err
}

// Restore begins an empty log with the checkpoint of another.
func (s *Store) Restore(ctx context.Context, c nod.Checkpoint) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		moved, err := tx.ExecContext(ctx, `UPDATE head SET seq = ?, hash = ? WHERE seq = 0`, int64(c.Seq), c.Hash[:])
		if err != nil {
			return err
		}
		if n, err := moved.RowsAffected(); err == nil && n == 0 {
			return nod.Errorf(nod.Conflict, "%s has a log already", s.path)
		}
		return putCheckpoint(ctx, tx, c)
	})
}

func putCheckpoint(ctx context.Context, tx *sql.Tx, c nod.Checkpoint) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO checkpoint VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, body = excluded.body`, int64(c.Seq), body)
	return err
}

// Place names the file.
func (r *Reader) Place() string { return r.path }

// Head is where the log ends.
func (r *Reader) Head(ctx context.Context) (nod.Seq, nod.Hash, error) {
	head, err := record.ScanMark(r.head.QueryRowContext(ctx))
	return head.Seq, head.Hash, explain(r.path, err)
}

// Size is how many bytes the file has.
func (r *Reader) Size(ctx context.Context) (bytes int64, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes)
	return bytes, explain(r.path, err)
}
