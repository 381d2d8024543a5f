package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"nod"
)

// appendSQL moves the head, puts the events and wakes the other hubs in one
// statement, which is one transaction: one round trip, one flush, and the head
// is locked for no longer than that. A hub that waited for the lock sees the
// head that the other one left, moves nothing and puts nothing.
const appendSQL = `WITH moved AS (
	UPDATE head SET seq = $2, hash = $3 WHERE seq = $1 RETURNING seq
), put AS (
	INSERT INTO events (seq, kind, agent, request, body, hash)
	SELECT n.* FROM unnest($4::bigint[], $5::text[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[]) n WHERE EXISTS (SELECT FROM moved)
), told AS (
	SELECT pg_notify($10, $11) FROM moved
) SELECT (SELECT count(*) FROM moved), (SELECT count(*) FROM told)`

// Append implements hub.Store: one transaction, however many events. When it
// fails with anything but Conflict after the statement was sent, nobody knows
// whether the events are there: the caller reads, or appends the very same
// again.
func (s *Store) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if err := ctx.Err(); err != nil {
		return s.explain(err)
	}
	if len(es) == 0 {
		return nil
	}
	if err := ready(after, es); err != nil {
		return err
	}
	// Once begun it is ended, by its own time limit: a caller that lost patience
	// half-way could not know whether the events are there.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), s.place.limits.statement)
	defer stop()
	args := s.rows(after, es)
	var moved, told int
	err := s.writer.with(ctx, func(c *pgx.Conn) error { return c.QueryRow(ctx, appendSQL, args...).Scan(&moved, &told) })
	if err != nil {
		return s.unwritten(err)
	}
	if moved == 0 {
		return conflict(after)
	}
	return nil
}

// rows are the arguments of appendSQL: columns, because one statement takes
// however many events.
func (s *Store) rows(after nod.Seq, es []nod.Event) []any {
	n := len(es)
	seqs, kinds := make([]int64, n), make([]string, n)
	agents, requests, bodies, hashes := make([][]byte, n), make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i := range es {
		e := &es[i]
		seqs[i], kinds[i] = int64(e.Seq), string(e.Kind)
		agents[i], requests[i] = column(string(e.AgentID)), column(string(e.RequestID))
		bodies[i], hashes[i] = e.Body(), e.Hash[:]
	}
	last := &es[n-1]
	return []any{int64(after), int64(last.Seq), last.Hash[:], seqs, kinds, agents, requests, bodies, hashes, s.channel, s.id}
}

// ready refuses events that would leave a gap or have no bytes; both can only
// be mistakes of the caller.
func ready(after nod.Seq, es []nod.Event) error {
	for i := range es {
		before := after + nod.Seq(i)
		switch {
		case es[i].Seq != before+1:
			return nod.Errorf(nod.Internal, "event %d cannot follow event %d in the log", es[i].Seq, before)
		case len(es[i].Body()) == 0:
			return nod.Errorf(nod.Internal, "event %d was not sealed", es[i].Seq)
		}
	}
	return nil
}

// conflict: nothing was put, that much is certain. Where the log ends now is
// for the caller to read; it is not asked for the sake of the words.
func conflict(after nod.Seq) error {
	return nod.Errorf(nod.Conflict, "the log does not end at event %d: somebody else wrote to it", after)
}

// column is an id as an index keeps it: none as NULL, which is not indexed,
// and odd bytes as they come out in the JSON of the body.
func column(id string) []byte {
	if id == "" {
		return nil
	}
	if !nod.Clean(id) {
		id = string([]rune(id))
	}
	return []byte(id)
}
