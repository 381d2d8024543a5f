package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/record"
	"nod/internal/net/passkey"
)

var _ passkey.OneTimeTokenStore = (*Store)(nil)

// putOneTimeToken counts and puts in one statement. A statement does not see its own
// changes, so the tokens that it deletes are left out of the count explicitly. Putting
// the same token again changes nothing: the answer to the first try may have been lost.
const putOneTimeToken = `WITH expired AS (DELETE FROM slips WHERE expires <= $4),
	others AS (SELECT * FROM slips WHERE kind = $2 AND expires > $4 AND hash <> $1),
	extra AS (SELECT hash FROM others WHERE holder = $3 ORDER BY expires DESC, hash DESC OFFSET $7 - 1),
	given AS (DELETE FROM slips WHERE hash IN (SELECT hash FROM extra)),
	room AS (SELECT (SELECT count(*) FROM others) - (SELECT count(*) FROM extra) < $8 AS left_over),
	put AS (INSERT INTO slips (hash, kind, holder, created, expires, body)
		SELECT $1, $2, $3, $4, $5, $6 FROM room WHERE left_over ON CONFLICT (hash) DO NOTHING)
	SELECT left_over FROM room`

// PutOneTimeToken implements passkey.OneTimeTokenStore. Hubs put one after the other, or
// each would count without the tokens of the others; the lock ends with the pipeline,
// whatever becomes of this hub.
func (s passkeys) PutOneTimeToken(ctx context.Context, p passkey.OneTimeToken) error {
	var room bool
	err := s.readers.retry(ctx, func(c *pgx.Conn) error {
		var b pgx.Batch
		b.Queue(`SELECT pg_advisory_xact_lock($1)`, s.lockKey("slips"))
		b.Queue(putOneTimeToken, p.Hash[:], p.Kind, []byte(p.Holder), record.Time(p.Created), record.Time(p.Expires), append([]byte{}, p.Body...),
			passkey.MaxPerHolder, passkey.MaxPerKind).QueryRow(func(row pgx.Row) error { return row.Scan(&room) })
		return c.SendBatch(ctx, &b).Close()
	})
	if err == nil && !room {
		return passkey.ErrFull
	}
	return s.explain(err)
}

// TakeOneTimeToken implements passkey.OneTimeTokenStore. The caller that deletes the row
// has the token: a second one waits for the first, and finds none.
func (s passkeys) TakeOneTimeToken(ctx context.Context, hash [32]byte) (passkey.OneTimeToken, error) {
	var p passkey.OneTimeToken
	err := s.readers.retry(ctx, func(c *pgx.Conn) (err error) {
		p, err = scanOneTimeToken(c.QueryRow(ctx, `DELETE FROM slips WHERE hash = $1 RETURNING kind, holder, created, expires, body`, hash[:]))
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return passkey.OneTimeToken{}, passkey.NoOneTimeToken()
	}
	if err != nil {
		return passkey.OneTimeToken{}, s.explain(err)
	}
	p.Hash = hash
	return p, nil
}

func scanOneTimeToken(row pgx.Row) (p passkey.OneTimeToken, err error) {
	var holder []byte
	var created, expires string
	if err = row.Scan(&p.Kind, &holder, &created, &expires, &p.Body); err != nil {
		return passkey.OneTimeToken{}, err
	}
	p.Holder = string(holder)
	if err = errors.Join(record.ParseTime(&p.Created, created), record.ParseTime(&p.Expires, expires)); err != nil {
		err = nod.Errorf(nod.Internal, "a passkey's slip is damaged: touch the passkey again").Because(err)
	}
	return p, err
}
