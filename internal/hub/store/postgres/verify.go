package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
)

// Verify reads the whole log and returns where it ends. When it fails with
// Conflict it returns the last event that is still good.
func (s *Store) Verify(ctx context.Context) (nod.Seq, nod.Hash, error) {
	var v record.Verifier
	// One snapshot, because hubs may append meanwhile.
	err := s.long(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return verify(ctx, tx, &v)
	})
	return v.Seq, v.Hash, err
}

func verify(ctx context.Context, tx pgx.Tx, v *record.Verifier) error {
	base, err := scanCheckpoint(tx.QueryRow(ctx, `SELECT body FROM checkpoint`))
	if err == nil {
		err = v.Begin(base)
	}
	if err != nil {
		return err
	}
	v.Head, err = record.ScanMark(tx.QueryRow(ctx, `SELECT seq, hash FROM head`))
	if errors.Is(err, pgx.ErrNoRows) {
		return record.NoHead()
	}
	if err != nil {
		return err
	}
	err = each(ctx, tx, `SELECT seq, hash FROM state`, func(row record.Row) error {
		saved, err := record.ScanMark(row)
		v.Saved(saved)
		return err
	})
	if err == nil {
		err = each(ctx, tx, `SELECT seq, kind, agent, request, body, hash FROM events ORDER BY seq`, v.Next)
	}
	if err != nil {
		return err
	}
	return v.End()
}

// each calls f for every row.
func each(ctx context.Context, tx pgx.Tx, text string, f func(record.Row) error) error {
	rows, err := tx.Query(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
