package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"nod"
)

// Verify reads the whole log and returns where it ends. It fails with Conflict
// at the first event that was changed, taken out, moved or filed under
// something else, and when the log ends before it should; then it returns the
// last place that is still good.
func (r *Reader) Verify(ctx context.Context) (nod.Seq, nod.Hash, error) {
	// One transaction, because a hub may append meanwhile.
	tx, err := r.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, nod.Hash{}, explain(r.path, err)
	}
	defer tx.Rollback()
	w := walk{}
	err = w.load(ctx, tx)
	if err == nil {
		err = w.events(ctx, tx)
	}
	if err == nil {
		err = w.end()
	}
	return w.seq, w.hash, explain(r.path, err)
}

// place is a seq and the hash that belongs to it.
type place struct {
	seq  nod.Seq
	hash nod.Hash
}

// walk is how far Verify has come, and the places that it must come through.
type walk struct {
	place
	head  place
	saved place // zero without a saved state
}

func (w *walk) load(ctx context.Context, tx *sql.Tx) (err error) {
	base, err := scanCheckpoint(tx.QueryRowContext(ctx, selectCheckpoint))
	if err == nil && !base.IsZero() {
		err = base.Verify()
		w.place = place{base.Seq, base.Hash}
	}
	if err != nil {
		return err
	}
	w.head.seq, w.head.hash, err = scanHead(tx.QueryRowContext(ctx, `SELECT seq, hash FROM head`))
	if errors.Is(err, sql.ErrNoRows) {
		return nod.Errorf(nod.Conflict, "the note of where the log ends was taken out")
	}
	if err != nil {
		return err
	}
	w.saved.seq, w.saved.hash, err = scanHead(tx.QueryRowContext(ctx, `SELECT seq, hash FROM state`))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

func (w *walk) events(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, `SELECT seq, kind, agent, request, body, hash FROM events ORDER BY seq`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := w.event(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (w *walk) event(rows *sql.Rows) error {
	var seq nod.Seq
	var kind, agent, request sql.NullString
	var body, hash sql.RawBytes
	if err := rows.Scan(&seq, &kind, &agent, &request, &body, &hash); err != nil {
		return err
	}
	if seq != w.seq+1 {
		return nod.Errorf(nod.Conflict, "event %d is missing: event %d follows %d", w.seq+1, seq, w.seq)
	}
	e, err := unseal(seq, body, hash)
	if err != nil {
		return nod.Errorf(nod.Conflict, "event %d was changed: it can no longer be read", seq).Because(err)
	}
	if err := e.Verify(w.seq, w.hash); err != nil {
		return err
	}
	if kind.String != string(e.Kind) || agent != column(string(e.AgentID)) || request != column(string(e.RequestID)) {
		return nod.Errorf(nod.Conflict, "event %d (%s) was filed under something else", seq, e.Kind)
	}
	w.place = place{e.Seq, e.Hash}
	if w.seq == w.saved.seq && w.hash != w.saved.hash {
		return nod.Errorf(nod.Conflict, "event %d is not the one that the saved state was made of: it or one before it was replaced", seq)
	}
	return nil
}

// end compares where the log ends with what is known of its end.
func (w *walk) end() error {
	switch {
	case w.seq < w.head.seq:
		return nod.Errorf(nod.Conflict, "event %d is missing: the log was cut off, it went up to %d", w.seq+1, w.head.seq)
	case w.place != w.head:
		return nod.Errorf(nod.Conflict, "event %d was not the end of the log: the note of its end says %d", w.seq, w.head.seq)
	case w.seq < w.saved.seq:
		return nod.Errorf(nod.Conflict, "event %d is missing: a state was saved at event %d", w.seq+1, w.saved.seq)
	}
	return nil
}
