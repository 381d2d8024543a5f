package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"nod"
)

// readBytes is about how much one Read returns at most. Large events come in
// more, smaller pieces, so that a follower who is far behind costs no memory.
const readBytes = 4 << 20

// Reader reads a log; it needs no lock and does not disturb a hub that writes.
type Reader struct {
	path string
	db   *sql.DB
	head *sql.Stmt
	next *sql.Stmt
}

// OpenReader opens the log of a hub that may be running.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nod.Errorf(nod.NotFound, "there is no log at %s: nod serve makes one when it first starts, or choose another --data", path).Because(err)
	}
	r, err := newReader(ctx, path, len(schema()))
	return r, explain(path, err)
}

func newReader(ctx context.Context, path string, known int) (*Reader, error) {
	db, err := connectReader(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, db: db}
	if err := r.start(ctx, known); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

func (r *Reader) start(ctx context.Context, known int) error {
	version, err := versionOf(ctx, r.db, r.path, known)
	if err != nil {
		return err
	}
	if version < known {
		return nod.Errorf(nod.Conflict, "%s has an older format: start nod serve once, it brings the file up to date", r.path)
	}
	if r.head, err = r.db.PrepareContext(ctx, `SELECT seq, hash FROM head`); err != nil {
		return err
	}
	r.next, err = r.db.PrepareContext(ctx, `SELECT seq, body, hash FROM events WHERE seq > ? ORDER BY seq LIMIT ?`)
	return err
}

// Close ends the reader's connections.
func (r *Reader) Close() error { return r.db.Close() }

// Read implements hub.Store. No transaction is needed around its two queries,
// because what lies below a head that was seen never changes.
func (r *Reader) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if limit < 1 {
		return nil, nod.Errorf(nod.Invalid, "a limit of %d reads nothing: ask for at least 1", limit)
	}
	head, _, err := scanHead(r.head.QueryRowContext(ctx))
	switch {
	case err != nil:
		return nil, explain(r.path, err)
	case after > head:
		return nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d", after, head)
	case after == head:
		return nil, nil
	}
	rows, err := r.next.QueryContext(ctx, int64(after), limit)
	if err != nil {
		return nil, explain(r.path, err)
	}
	es, err := collect(rows, readBytes)
	if err == nil {
		err = r.follows(ctx, after, es)
	}
	if err != nil {
		return nil, explain(r.path, err)
	}
	return es, nil
}

// follows refuses to jump over events that are not there: those before the
// oldest that is kept are gone, any other was taken out.
func (r *Reader) follows(ctx context.Context, after nod.Seq, es []nod.Event) error {
	for i := range es {
		if want := after + 1 + nod.Seq(i); es[i].Seq != want {
			return r.gap(ctx, want)
		}
	}
	if len(es) == 0 {
		return r.gap(ctx, after+1)
	}
	return nil
}

func (r *Reader) gap(ctx context.Context, missing nod.Seq) error {
	var older bool
	if err := r.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM events WHERE seq < ?)`, int64(missing)).Scan(&older); err != nil {
		return err
	}
	if !older {
		return nod.Errorf(nod.Gone, "event %d is no longer kept in this log", missing)
	}
	return nod.Errorf(nod.Internal, "event %d is missing in the log: nod log verify tells more", missing)
}

func scanHead(row *sql.Row) (seq nod.Seq, hash nod.Hash, err error) {
	var h []byte
	if err = row.Scan(&seq, &h); err != nil {
		return 0, hash, err
	}
	return seq, hash, setHash(&hash, h)
}

// collect reads rows of seq, body and hash until they hold about max bytes.
func collect(rows *sql.Rows, max int) (es []nod.Event, err error) {
	defer rows.Close()
	for size := 0; size < max && rows.Next(); {
		var seq nod.Seq
		var body, hash []byte
		if err := rows.Scan(&seq, &body, &hash); err != nil {
			return nil, err
		}
		e, err := unseal(seq, body, hash)
		if err == nil && e.Seq != seq {
			err = damaged(seq, fmt.Errorf("its body says %d", e.Seq))
		}
		if err != nil {
			return nil, err
		}
		size += len(body)
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
	if err != nil {
		return nod.Event{}, damaged(seq, err)
	}
	return e, nil
}

func damaged(seq nod.Seq, cause error) error {
	return nod.Errorf(nod.Internal, "event %d is damaged: nod log verify tells more", seq).Because(cause)
}

func setHash(h *nod.Hash, b []byte) error {
	if copy(h[:], b) != len(h) || len(b) != len(h) {
		return fmt.Errorf("a hash has %d bytes, not %d", len(h), len(b))
	}
	return nil
}
