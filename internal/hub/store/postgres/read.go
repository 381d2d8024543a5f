package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"nod"
)

// readBytes is about how much one Read returns at most. Large events come in
// more, smaller pieces, so that a follower who is far behind costs no memory.
const readBytes = 4 << 20

// readSQL counts bytes on the server: what has begun to come must be read to
// its end.
const readSQL = `SELECT seq, body, hash FROM (
	SELECT seq, body, hash, sum(length(body)) OVER (ORDER BY seq) - length(body) AS sent
	FROM (SELECT seq, body, hash FROM events WHERE seq > $1 ORDER BY seq LIMIT $2) page
) counted WHERE sent < $3 ORDER BY seq`

// tailSQL reads without counting: for so few that they cannot be too large, and for
// whoever must have all of them.
const (
	few     = 16
	tailSQL = `SELECT seq, body, hash FROM events WHERE seq > $1 ORDER BY seq LIMIT $2`
)

// Read implements hub.Store. What came with a wake-up need not be asked for. Where
// the log ends is asked only when there is nothing to read: what follows `after` one
// by one needs no other proof.
func (s *Store) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d reads nothing: ask for at least 1", limit)
	}
	if es := s.heard.after(after, limit); len(es) > 0 {
		return es, nil
	}
	for range 2 {
		text, args := readSQL, []any{int64(min(after, math.MaxInt64)), limit, readBytes}
		if limit <= few {
			text, args = tailSQL, args[:2]
		}
		es, err := s.query(ctx, text, args...)
		if err != nil {
			return nil, s.explain(err)
		}
		for i := range es {
			if want := after + 1 + nod.Seq(i); es[i].Seq != want {
				return nil, s.explain(s.gap(ctx, want))
			}
		}
		if len(es) > 0 {
			return es, nil
		}
		head, _, err := s.head(ctx)
		if err != nil || head == after {
			return nil, s.explain(err)
		}
		if after > head {
			return nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d", after, head)
		}
		// Somebody appended between the two looks, or what was there is gone.
	}
	return nil, s.explain(s.gap(ctx, after+1))
}

// gap: events before the oldest that is kept are gone, any other was taken out.
func (s *Store) gap(ctx context.Context, missing nod.Seq) error {
	var older bool
	err := s.readers.retry(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT EXISTS (SELECT FROM events WHERE seq < $1)`, int64(missing)).Scan(&older)
	})
	switch {
	case err != nil:
		return err
	case !older:
		return nod.Errorf(nod.Gone, "event %d is no longer kept in this log", missing)
	}
	return nod.Errorf(nod.Internal, "event %d is missing in the log: nod log verify tells more", missing)
}

func (s *Store) head(ctx context.Context) (seq nod.Seq, hash nod.Hash, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		seq, hash, err = scanPlace(c.QueryRow(ctx, `SELECT seq, hash FROM head`))
		return err
	})
	return seq, hash, err
}

// scanPlace reads a seq and a hash.
func scanPlace(row pgx.Row) (seq nod.Seq, hash nod.Hash, err error) {
	var n int64
	var h []byte
	if err = row.Scan(&n, &h); err != nil {
		return 0, hash, err
	}
	return nod.Seq(n), hash, setHash(&hash, h)
}

// query reads events from rows of seq, body and hash.
func (s *Store) query(ctx context.Context, text string, args ...any) (es []nod.Event, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, text, args...)
		if err != nil {
			return err
		}
		es, err = collect(rows)
		return err
	})
	return es, err
}

// collect reads events, and closes the rows.
func collect(rows pgx.Rows) (es []nod.Event, err error) {
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var body, hash []byte
		if err := rows.Scan(&seq, &body, &hash); err != nil {
			return nil, err
		}
		e, err := unseal(nod.Seq(seq), body, hash)
		if err != nil {
			return nil, err
		}
		es = append(es, e)
	}
	return es, rows.Err()
}

// unseal reads an event that may have been tampered with.
func unseal(seq nod.Seq, body, hash []byte) (nod.Event, error) {
	var h nod.Hash
	err := setHash(&h, hash)
	if err != nil {
		return nod.Event{}, damaged(seq, err)
	}
	e, err := nod.Unseal(body, h)
	if err == nil && e.Seq != seq {
		err = fmt.Errorf("its body says %d", e.Seq)
	}
	if err != nil {
		return nod.Event{}, damaged(seq, err)
	}
	return e, nil
}

func damaged(seq nod.Seq, cause error) error {
	return nod.Errorf(nod.Internal, "event %d is damaged: nod log verify tells more", seq).Because(cause)
}

func setHash(h *nod.Hash, b []byte) error {
	if len(b) != len(h) {
		return errors.New("a hash has the wrong length")
	}
	copy(h[:], b)
	return nil
}
