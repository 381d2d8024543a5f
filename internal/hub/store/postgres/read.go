package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
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

// tailSQL reads without counting: for so few events that they cannot be too large, and
// for Turn, which must have all of them.
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
	if es := s.inbox.after(after, limit); len(es) > 0 {
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
		head, err := s.head(ctx)
		if err != nil || head.Seq == after {
			return nil, s.explain(err)
		}
		if after > head.Seq {
			return nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d", after, head.Seq)
		}
		// Another hub appended between the two queries, or the events are gone.
	}
	return nil, s.explain(s.gap(ctx, after+1))
}

// gap explains why an event is not there.
func (s *Store) gap(ctx context.Context, missing nod.Seq) error {
	var older bool
	err := s.readers.retry(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT EXISTS (SELECT FROM events WHERE seq < $1)`, int64(missing)).Scan(&older)
	})
	if err != nil {
		return err
	}
	return record.Missing(missing, older)
}

func (s *Store) head(ctx context.Context) (head record.Mark, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		head, err = record.ScanMark(c.QueryRow(ctx, `SELECT seq, hash FROM head`))
		return err
	})
	return head, err
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
func collect(rows pgx.Rows) ([]nod.Event, error) {
	return pgx.AppendRows([]nod.Event(nil), rows, func(row pgx.CollectableRow) (nod.Event, error) { return record.Event(row) })
}
