package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nod"
	"nod/internal/hub/record"
)

// Appending moves the head, puts the events and wakes the other hubs: three
// statements in one pipeline, which is one transaction, one round trip and one
// flush, and quicker than one statement that does it all. A hub that waited for the
// lock on the head finds it moved by another hub: it then moves nothing, inserts
// nothing and sends no notification.
const (
	moveSQL = `UPDATE head SET seq = $2, hash = $3 WHERE seq = $1`
	putSQL  = `INSERT INTO events (seq, kind, agent, request, body, hash) SELECT n.* FROM %s n WHERE EXISTS (SELECT FROM head WHERE seq = $1 AND hash = $2)`
	tellSQL = `SELECT pg_notify($1, $2) FROM head WHERE seq = $3 AND hash = $4`
)

// Append implements hub.Store: one transaction, however many events. When it fails
// with anything but Conflict after the statement was sent, the outcome is unknown:
// the caller reads, or appends the very same events again.
func (s *Store) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := ctx.Err(); err != nil {
		return s.explain(err)
	}
	if len(es) == 0 {
		return nil
	}
	if err := record.Appendable(after, es); err != nil {
		return err
	}
	// Once begun it has its own time limit: a caller that gave up half-way could not
	// know whether the events are there.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), s.place.limits.statement)
	defer stop()
	var b pgx.Batch
	moved := s.queue(&b, after, es, s.sealer.sealEvents(es))
	err := s.writer.with(ctx, func(c *pgx.Conn) error { return c.SendBatch(ctx, &b).Close() })
	return s.failed(lostTo(err, *moved, after))
}

// failed empties the inbox: the hub now has to see the table itself.
func (s *Store) failed(err error) error {
	if err != nil {
		s.inbox.forget()
	}
	return s.unwritten(err)
}

// lostTo is a Conflict where others were first. The very same events may be there
// already, with the very same head: then it is their numbers that are taken.
func lostTo(err error, moved bool, after nod.Seq) error {
	var pg *pgconn.PgError
	if !moved && (err == nil || errors.As(err, &pg) && pg.Code == taken) {
		return conflict(after)
	}
	return err
}

// queue puts an append and its wake-up into a pipeline. moved tells afterwards whether
// it found the head where it should be.
func (s *Store) queue(b *pgx.Batch, after nod.Seq, es []nod.Event, note string) (moved *bool) {
	last := &es[len(es)-1]
	moved = new(bool)
	b.Queue(moveSQL, int64(after), int64(last.Seq), last.Hash[:]).Exec(func(done pgconn.CommandTag) error {
		*moved = done.RowsAffected() > 0
		return nil
	})
	put := asColumns
	if len(es) <= fewRows {
		put = asRows
	}
	from, args := put(es)
	b.Queue(fmt.Sprintf(putSQL, from), append([]any{int64(last.Seq), last.Hash[:]}, args...)...)
	b.Queue(tellSQL, s.channel, note, int64(last.Seq), last.Hash[:])
	return moved
}

// fewRows is how many events have a statement of their own. That is the usual case,
// and a tenth quicker.
const fewRows = 4

// asRows gives a few events, one by one, from the third argument on.
func asRows(es []nod.Event) (from string, args []any) {
	var b strings.Builder
	for i := range es {
		e := &es[i]
		n := 3 + len(args)
		fmt.Fprintf(&b, `, ($%d::bigint, $%d::text, $%d::bytea, $%d::bytea, $%d::bytea, $%d::bytea)`, n, n+1, n+2, n+3, n+4, n+5)
		args = append(args, int64(e.Seq), string(e.Kind), record.ID(string(e.AgentID)), record.ID(string(e.RequestID)), e.Body(), e.Hash[:])
	}
	return `(VALUES ` + b.String()[2:] + `)`, args
}

// asColumns gives however many events in one statement.
func asColumns(es []nod.Event) (from string, args []any) {
	n := len(es)
	seqs, kinds := make([]int64, n), make([]string, n)
	agents, requests, bodies, hashes := make([][]byte, n), make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i := range es {
		e := &es[i]
		seqs[i], kinds[i] = int64(e.Seq), string(e.Kind)
		agents[i], requests[i] = record.ID(string(e.AgentID)), record.ID(string(e.RequestID))
		bodies[i], hashes[i] = e.Body(), e.Hash[:]
	}
	return `unnest($3::bigint[], $4::text[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[])`, []any{seqs, kinds, agents, requests, bodies, hashes}
}

// conflict means that nothing was written. The message does not say where the log
// ends now, because that would cost a query; the caller reads anyway.
func conflict(after nod.Seq) error {
	return nod.Errorf(nod.Conflict, "the log does not end at event %d: somebody else wrote to it", after)
}
