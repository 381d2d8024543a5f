package postgres

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
)

// Verify reads the whole log and returns where it ends. It fails with Conflict
// at the first event that was changed, taken out, moved or filed under
// something else, and when the log ends before it should; then it returns the
// last place that is still good.
func (s *Store) Verify(ctx context.Context) (nod.Seq, nod.Hash, error) {
	w := walk{}
	// One snapshot, because hubs may append meanwhile.
	err := s.long(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := w.load(ctx, tx); err != nil {
			return err
		}
		if err := w.events(ctx, tx); err != nil {
			return err
		}
		return w.end()
	})
	return w.seq, w.hash, err
}

// mark is a seq and the hash that belongs to it.
type mark struct {
	seq  nod.Seq
	hash nod.Hash
}

// walk is how far Verify has come, and the places that it must come through.
type walk struct {
	mark
	head  mark
	saved map[nod.Seq]nod.Hash // of states
}

func (w *walk) load(ctx context.Context, tx pgx.Tx) (err error) {
	base, err := scanCheckpoint(tx.QueryRow(ctx, `SELECT body FROM checkpoint`))
	if err == nil && !base.IsZero() {
		err = base.Verify()
		w.mark = mark{base.Seq, base.Hash}
	}
	if err != nil {
		return err
	}
	w.head.seq, w.head.hash, err = scanPlace(tx.QueryRow(ctx, `SELECT seq, hash FROM head`))
	if errors.Is(err, pgx.ErrNoRows) {
		return nod.Errorf(nod.Conflict, "the note of where the log ends was taken out")
	}
	if err != nil {
		return err
	}
	w.saved = map[nod.Seq]nod.Hash{}
	rows, err := tx.Query(ctx, `SELECT seq, hash FROM state`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		seq, hash, err := scanPlace(rows)
		if err != nil {
			return err
		}
		w.saved[seq] = hash
	}
	return rows.Err()
}

func (w *walk) events(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT seq, kind, agent, request, body, hash FROM events ORDER BY seq`)
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

func (w *walk) event(rows pgx.Rows) error {
	var n int64
	var kind string
	var agent, request, body, hash []byte
	if err := rows.Scan(&n, &kind, &agent, &request, &body, &hash); err != nil {
		return err
	}
	seq := nod.Seq(n)
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
	if kind != string(e.Kind) || !bytes.Equal(agent, column(string(e.AgentID))) || !bytes.Equal(request, column(string(e.RequestID))) {
		return nod.Errorf(nod.Conflict, "event %d (%s) was filed under something else", seq, e.Kind)
	}
	w.mark = mark{e.Seq, e.Hash}
	if saved, ok := w.saved[w.seq]; ok && w.hash != saved {
		return nod.Errorf(nod.Conflict, "event %d is not the one that the saved state was made of: it or one before it was replaced", seq)
	}
	return nil
}

// end compares where the log ends with what is known of its end.
func (w *walk) end() error {
	switch {
	case w.seq < w.head.seq:
		return nod.Errorf(nod.Conflict, "event %d is missing: the log was cut off, it went up to %d", w.seq+1, w.head.seq)
	case w.mark != w.head:
		return nod.Errorf(nod.Conflict, "event %d was not the end of the log: the note of its end says %d", w.seq, w.head.seq)
	}
	for seq := range w.saved {
		if w.seq < seq {
			return nod.Errorf(nod.Conflict, "event %d is missing: a state was saved at event %d", w.seq+1, seq)
		}
	}
	return nil
}
