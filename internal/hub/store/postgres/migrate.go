package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"nod"
	"nod/internal/hub/record"
)

//go:embed schema/*.sql
var files embed.FS

// schema lists the steps from an empty database to the present. A step that was
// released is never changed, and must leave the tables so that the release before
// can go on with them: hubs are replaced one after the other.
func schema() []string { return record.Schema(files) }

// migrate brings the tables up to date: all steps that are missing, or none.
// When several hubs start at once, one does it and the others wait for it.
func (d *database) migrate(ctx context.Context, steps []string) error {
	return d.writer.retry(ctx, func(c *pgx.Conn) error {
		version, err := version(ctx, c)
		if err == nil && version >= len(steps) {
			// Nothing to do, so nothing is locked: a start must not wait for others.
			return d.known(ctx, c, version, len(steps))
		}
		if err != nil && !missing(err) {
			return err
		}
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { return d.steps(ctx, tx, steps) })
	})
}

func (d *database) steps(ctx context.Context, tx pgx.Tx, steps []string) error {
	// A step over a large log may take a while, and others wait for it.
	_, err := tx.Exec(ctx, `SET LOCAL statement_timeout = '10min'; SET LOCAL lock_timeout = '10min'`, pgx.QueryExecModeSimpleProtocol)
	if err == nil {
		_, err = tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, d.lockKey("schema"))
	}
	if err == nil {
		// Making it needs a right that using it does not.
		var there bool
		if err = tx.QueryRow(ctx, `SELECT to_regnamespace(quote_ident($1)) IS NOT NULL`, d.place.schema).Scan(&there); err == nil && !there {
			_, err = tx.Exec(ctx, `CREATE SCHEMA `+pgx.Identifier{d.place.schema}.Sanitize())
		}
	}
	if err == nil {
		_, err = tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS format (one int PRIMARY KEY CHECK (one = 1), version int NOT NULL)`)
	}
	if err != nil {
		return err
	}
	before, err := version(ctx, tx)
	if err != nil {
		return err
	}
	for n := before; n < len(steps); n++ {
		if _, err := tx.Exec(ctx, steps[n], pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("schema step %d: %w", n+1, err)
		}
	}
	_, err = tx.Exec(ctx, `INSERT INTO format VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET version = greatest(format.version, excluded.version)`, len(steps))
	return err
}

// known: one newer step is the release after this one, which runs beside it
// while hubs are replaced one after the other; more are too new.
func (d *database) known(ctx context.Context, c *pgx.Conn, version, known int) error {
	if version > known+1 {
		return nod.Errorf(nod.Invalid, "%s was written by a much newer nod (format %d, this one knows %d): install that version here too", d.place, version, known)
	}
	// That nothing can be written is better known now than at the first request.
	_, err := c.Exec(ctx, `UPDATE head SET seq = seq WHERE FALSE`)
	return err
}

// version is how many steps the tables have behind them.
func version(ctx context.Context, c interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}) (n int, err error) {
	err = c.QueryRow(ctx, `SELECT version FROM format`).Scan(&n)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

func missing(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == undefinedTable || pg.Code == "3F000")
}
