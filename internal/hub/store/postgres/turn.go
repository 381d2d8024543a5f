package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
)

// longestTail is how far behind a hub may be and still get its turn.
const longestTail = 4000

// inTurn is how long a hub may take in its turn.
const inTurn = 3 * time.Second

// Turn implements hub.Queue. The lock on the head is first come, first served, and
// what is read under it is the whole log. One pipeline takes the lock and reads, a
// second one writes and releases it.
func (s *Store) Turn(ctx context.Context, after nod.Seq, write func(tail []nod.Event) ([]nod.Event, error)) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), s.place.limits.statement)
	defer stop()
	var refused error // write's own, which is not ours to explain
	err := s.writer.with(ctx, func(c *pgx.Conn) error {
		tail, err := lockAndRead(ctx, c, after)
		if err != nil {
			return err // the pool closes a connection that is left in a transaction
		}
		es, err := write(tail)
		if err != nil || len(es) == 0 {
			refused = err
			_, err = c.Exec(ctx, `ROLLBACK`)
			return err
		}
		return s.writeAndUnlock(ctx, c, after+nod.Seq(len(tail)), es)
	})
	if refused != nil {
		return refused
	}
	return s.failed(err)
}

func lockAndRead(ctx context.Context, c *pgx.Conn, after nod.Seq) (tail []nod.Event, err error) {
	var b pgx.Batch
	b.Queue(`BEGIN`)
	b.Queue(`SELECT FROM head FOR UPDATE`)
	b.Queue(tailSQL, int64(after), longestTail+1)
	results := c.SendBatch(ctx, &b)
	defer results.Close()
	for range 2 {
		if _, err := results.Exec(); err != nil {
			return nil, err
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	if tail, err = collect(rows); err != nil {
		return nil, err
	}
	if len(tail) > longestTail || len(tail) > 0 && tail[0].Seq != after+1 { // the latter: what follows was pruned
		return nil, nod.Errorf(nod.Conflict, "the log went on too far after event %d for a turn", after)
	}
	return tail, nil
}

func (s *Store) writeAndUnlock(ctx context.Context, c *pgx.Conn, after nod.Seq, es []nod.Event) error {
	if err := record.Appendable(after, es); err != nil {
		return err
	}
	var b pgx.Batch
	moved := s.queue(&b, after, es, s.id) // it carries nothing: in their turns the others read anyway
	b.Queue(`COMMIT`)
	err := c.SendBatch(ctx, &b).Close()
	return lostTo(err, *moved, after) // the caller is ahead of the log
}
