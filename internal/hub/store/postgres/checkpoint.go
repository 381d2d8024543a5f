package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
)

// Base is the checkpoint that the log begins with, if it was pruned.
func (s *Store) Base(ctx context.Context) (c nod.Checkpoint, err error) {
	err = s.readers.retry(ctx, func(conn *pgx.Conn) error {
		c, err = scanCheckpoint(conn.QueryRow(ctx, `SELECT body FROM checkpoint`))
		return err
	})
	return c, s.explain(err)
}

func scanCheckpoint(row pgx.Row) (nod.Checkpoint, error) {
	c, err := record.Checkpoint(row)
	if errors.Is(err, pgx.ErrNoRows) {
		return nod.Checkpoint{}, nil
	}
	return c, err
}

// Prune replaces the events up to the checkpoint by the checkpoint: both happen, or
// neither. Hubs may go on writing meanwhile.
func (s *Store) Prune(ctx context.Context, c nod.Checkpoint) error {
	return s.long(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		// Other prunings wait here; hubs do not.
		before, err := lockedCheckpoint(ctx, tx)
		if err != nil {
			return err
		}
		at, err := record.ScanMark(tx.QueryRow(ctx, `SELECT seq, hash FROM events WHERE seq = $1`, int64(c.Seq)))
		if errors.Is(err, pgx.ErrNoRows) || err == nil && at.Hash != c.Hash || c.Seq <= before.Seq {
			return nod.Errorf(nod.Conflict, "event %d is not as the checkpoint says: nothing was taken out", c.Seq)
		}
		if err != nil {
			return err
		}
		if err := putCheckpoint(ctx, tx, c); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM events WHERE seq <= $1`, int64(c.Seq))
		return err
	})
}

// Restore begins an empty log with the checkpoint of another.
func (s *Store) Restore(ctx context.Context, c nod.Checkpoint) error {
	return s.long(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		moved, err := tx.Exec(ctx, `UPDATE head SET seq = $1, hash = $2 WHERE seq = 0`, int64(c.Seq), c.Hash[:])
		if err == nil && moved.RowsAffected() == 0 {
			err = nod.Errorf(nod.Conflict, "%s has a log already", s.place)
		}
		if err != nil {
			return err
		}
		return putCheckpoint(ctx, tx, c)
	})
}

func lockedCheckpoint(ctx context.Context, tx pgx.Tx) (nod.Checkpoint, error) {
	if _, err := tx.Exec(ctx, `LOCK TABLE checkpoint IN EXCLUSIVE MODE`); err != nil {
		return nod.Checkpoint{}, err
	}
	return scanCheckpoint(tx.QueryRow(ctx, `SELECT body FROM checkpoint`))
}

func putCheckpoint(ctx context.Context, tx pgx.Tx, c nod.Checkpoint) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO checkpoint VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, body = excluded.body`, int64(c.Seq), body)
	return err
}
