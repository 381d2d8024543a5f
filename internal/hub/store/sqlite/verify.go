package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"nod"
	"nod/internal/hub/record"
)

// Verify reads the whole log and returns where it ends. When it fails with
// Conflict it returns the last event that is still good.
func (r *Reader) Verify(ctx context.Context) (nod.Seq, nod.Hash, error) {
	// One transaction, because a hub may append meanwhile.
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, nod.Hash{}, explain(r.path, err)
	}
	defer tx.Rollback()
	var v record.Verifier
	err = verify(ctx, tx, &v)
	return v.Seq, v.Hash, explain(r.path, err)
}

func verify(ctx context.Context, tx *sql.Tx, v *record.Verifier) error {
	base, err := scanCheckpoint(tx.QueryRowContext(ctx, selectCheckpoint))
	if err == nil {
		err = v.Begin(base)
	}
	if err != nil {
		return err
	}
	v.Head, err = record.ScanMark(tx.QueryRowContext(ctx, `SELECT seq, hash FROM head`))
	if errors.Is(err, sql.ErrNoRows) {
		return record.NoHead()
	}
	if err != nil {
		return err
	}
	saved, err := record.ScanMark(tx.QueryRowContext(ctx, `SELECT seq, hash FROM state`))
	if err == nil {
		v.Saved(saved)
	} else if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT seq, kind, agent, request, body, hash FROM events ORDER BY seq`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := v.Next(rows); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return v.End()
}
