package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"nod"
	"nod/internal/hub/record"
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
	head, err := record.ScanMark(r.head.QueryRowContext(ctx))
	switch {
	case err != nil:
		return nil, explain(r.path, err)
	case after > head.Seq:
		return nil, nod.Errorf(nod.Gone, "event %d is not in this log, which ends at %d", after, head.Seq)
	case after == head.Seq:
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

// follows refuses to jump over events that are not there.
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
	return record.Missing(missing, older)
}

// collect reads rows of seq, body and hash until they hold about max bytes.
func collect(rows *sql.Rows, max int) (es []nod.Event, err error) {
	defer rows.Close()
	for size := 0; size < max && rows.Next(); {
		e, err := record.Event(rows)
		if err != nil {
			return nil, err
		}
		size += len(e.Body())
		es = append(es, e)
	}
	return es, rows.Err()
}
