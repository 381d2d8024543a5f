package postgres

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
)

// pieceSize is how much of a file one statement carries: little enough to take no
// longer than any other statement, and to keep no whole file in memory.
const pieceSize = 256 << 10

// sweepTime is long enough to remove all files at once.
const sweepTime = time.Minute

// Files are what people sent to agents, for all hubs of the database.
type Files struct {
	*database
	turn chan struct{} // one file is put at a time: readers need connections too
}

// Files opens them; one is enough for a hub.
func (s *Store) Files() *Files { return &Files{database: s.database, turn: make(chan struct{}, 1)} }

// PutFile keeps what r holds, in one transaction: no hub ever sees half a file. Reading
// r should not block, because a connection waits for it.
func (f *Files) PutFile(ctx context.Context, a nod.Attachment, r io.Reader) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return f.explain(ctx.Err())
	}
	return f.explain(f.readers.with(ctx, func(c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { return f.put(ctx, tx, a, r) })
	}))
}

func (f *Files) put(ctx context.Context, tx pgx.Tx, a nod.Attachment, r io.Reader) error {
	err := f.insert(ctx, tx, `INSERT INTO files (id, name, size) VALUES ($1, $2, $3)`, a.ID, []byte(a.Name), a.Size)
	if err != nil {
		return err
	}
	var size int64
	piece := make([]byte, pieceSize)
	for n := 0; ; n++ {
		got, end := io.ReadFull(r, piece)
		if got > 0 {
			size += int64(got)
			if err := f.insert(ctx, tx, `INSERT INTO file_pieces (file, n, body) VALUES ($1, $2, $3)`, a.ID, n, piece[:got]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(end, io.EOF) || errors.Is(end, io.ErrUnexpectedEOF):
			if size != a.Size {
				return nod.Errorf(nod.Internal, "the file has %d bytes, not %d", size, a.Size)
			}
			return nil
		case end != nil:
			return nod.Errorf(nod.Unavailable, "the file could not be read").Because(end)
		}
	}
}

// insert is one statement of several, with the time of one.
func (f *Files) insert(ctx context.Context, tx pgx.Tx, text string, args ...any) error {
	ctx, stop := context.WithTimeout(ctx, f.place.limits.statement)
	defer stop()
	_, err := tx.Exec(ctx, text, args...)
	return err
}

// FetchFile writes a file to w, and returns its name, size and age. No connection
// waits for w. An error of w is returned as it is.
func (f *Files) FetchFile(ctx context.Context, id string, w io.Writer) (a nod.Attachment, age time.Duration, err error) {
	gone := nod.Errorf(nod.NotFound, "the hubs have no file %q", nod.Fold(nod.OneLine(id), 40))
	about, err := some(ctx, f.database, func(row record.Row) (a aged, err error) {
		var name []byte
		var micros int64
		err = row.Scan(&name, &a.Size, &micros)
		a.ID, a.Name, a.age = id, string(name), time.Duration(micros)*time.Microsecond
		return a, err
	}, `SELECT name, size, (extract(epoch FROM clock_timestamp() - kept) * 1000000)::bigint FROM files WHERE id = $1`, id)
	if err != nil {
		return nod.Attachment{}, 0, err
	}
	if len(about) == 0 {
		return nod.Attachment{}, 0, gone
	}
	a, age = about[0].Attachment, about[0].age
	left := a.Size
	for n := 0; left > 0; n++ {
		piece, err := some(ctx, f.database, func(row record.Row) (body []byte, err error) { return body, row.Scan(&body) },
			`SELECT body FROM file_pieces WHERE file = $1 AND n = $2`, id, n)
		if err != nil {
			return nod.Attachment{}, 0, err
		}
		if len(piece) == 0 || len(piece[0]) == 0 {
			return nod.Attachment{}, 0, gone // it was removed meanwhile
		}
		if _, err := w.Write(piece[0]); err != nil {
			return nod.Attachment{}, 0, err
		}
		left -= int64(len(piece[0]))
	}
	return a, age, nil
}

// aged is a file and how long it has been there, by the clock of the database.
type aged struct {
	nod.Attachment
	age time.Duration
}

// SweepFiles removes files that are older, and the oldest ones while all together have
// more than most bytes. It skips files that another hub is removing.
func (f *Files) SweepFiles(ctx context.Context, older time.Duration, most int64) error {
	ctx, stop := context.WithTimeout(ctx, sweepTime)
	defer stop()
	return f.explain(f.readers.retry(ctx, func(c *pgx.Conn) error {
		var b pgx.Batch
		b.Queue(`SELECT set_config('statement_timeout', $1, true)`, millis(sweepTime)) // for this pipeline
		b.Queue(`DELETE FROM files WHERE id IN (SELECT id FROM files JOIN
			(SELECT id, sum(size) OVER (ORDER BY kept DESC, id DESC) AS newer FROM files) f USING (id)
			WHERE kept <= clock_timestamp() - $1 * interval '1 microsecond' OR newer > $2
			FOR UPDATE OF files SKIP LOCKED)`, older.Microseconds(), most)
		return c.SendBatch(ctx, &b).Close()
	}))
}
