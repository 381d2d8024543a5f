package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nod"
)

// Base is the checkpoint that the log begins with, if it was pruned.
func (r *Reader) Base(ctx context.Context) (nod.Checkpoint, error) {
	c, err := scanCheckpoint(r.db.QueryRowContext(ctx, selectCheckpoint))
	return c, explain(r.path, err)
}

const selectCheckpoint = `SELECT body FROM checkpoint`

func scanCheckpoint(row *sql.Row) (c nod.Checkpoint, err error) {
	var body []byte
	err = row.Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return c, nil
	}
	if err == nil && json.Unmarshal(body, &c) != nil {
		err = nod.Errorf(nod.Internal, "the checkpoint that the log begins with is damaged: put a backup in its place")
	}
	return c, err
}

// Prune takes out the events up to the checkpoint, which takes their place: both
// happen, or neither. The file becomes smaller afterwards, if there is room to
// write it anew.
func (s *Store) Prune(ctx context.Context, c nod.Checkpoint) error {
	err := s.change(ctx, func(tx *sql.Tx) error {
		before, err := scanCheckpoint(tx.QueryRowContext(ctx, selectCheckpoint))
		if err != nil {
			return err
		}
		_, hash, err := scanHead(tx.QueryRowContext(ctx, `SELECT seq, hash FROM events WHERE seq = ?`, int64(c.Seq)))
		if errors.Is(err, sql.ErrNoRows) || err == nil && hash != c.Hash || c.Seq <= before.Seq {
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
		// It is pruned either way: without room for a second copy the file stays as
		// large as it was, and what is free in it is used again.
		_, _ = s.writer.ExecContext(ctx, `VACUUM`)
	}
	return err
}

// Restore begins an empty log with the checkpoint of another.
func (s *Store) Restore(ctx context.Context, c nod.Checkpoint) error {
	return s.change(ctx, func(tx *sql.Tx) error {
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

// change runs f in a transaction of the writer.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
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

// PeekPushKey is the key of push services if there is one; it makes none.
func (s *Store) PeekPushKey(ctx context.Context) (key []byte, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT key FROM push_key`).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return key, explain(s.path, err)
}

// Place names the file.
func (r *Reader) Place() string { return r.path }

// Head is where the log ends.
func (r *Reader) Head(ctx context.Context) (nod.Seq, nod.Hash, error) {
	seq, hash, err := scanHead(r.head.QueryRowContext(ctx))
	return seq, hash, explain(r.path, err)
}

// Size is how many bytes the file has.
func (r *Reader) Size(ctx context.Context) (bytes int64, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&bytes)
	return bytes, explain(r.path, err)
}
