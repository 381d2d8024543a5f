package postgres

import (
	"context"
	"hash/fnv"
	"nod/internal/hub/record"
	"sync"

	"github.com/jackc/pgx/v5"
)

// database is the way to the tables: the connections, and what their errors mean.
type database struct {
	place   place
	config  *pgx.ConnConfig
	writer  *pool // one connection, for Append alone: no reader can keep it waiting
	readers *pool // for everything else
}

func connect(address string, l limits) (*database, error) {
	config, p, err := parse(address, l.orDefault())
	if err != nil {
		return nil, err
	}
	d := &database{place: p, config: config.ConnConfig}
	writing := config.Copy()
	writing.MinConns, writing.MinIdleConns = 0, 0
	writing.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = millis(inTurn) // a hub that dies in its turn must not stop the others
	if d.writer, err = newPool(writing, 1, p.limits); err != nil {
		return nil, d.explain(err)
	}
	if d.readers, err = newPool(config, p.limits.connections, p.limits); err != nil {
		d.writer.close()
		return nil, d.explain(err)
	}
	return d, nil
}

// Close ends the connections; those still in use end when they are returned.
func (d *database) Close() error {
	var both sync.WaitGroup
	both.Go(d.writer.close)
	both.Go(d.readers.close)
	both.Wait()
	return nil
}

// Place names the database without its secrets.
func (d *database) Place() string { return d.place.String() }

// exec changes something that may as well be changed twice, and returns how
// many rows were.
func (d *database) exec(ctx context.Context, text string, args ...any) (rows int64, err error) {
	err = d.readers.with(ctx, func(c *pgx.Conn) error {
		done, err := c.Exec(ctx, text, args...)
		rows = done.RowsAffected()
		return err
	})
	return rows, err
}

// changed runs a statement, and fails with none if it changed nothing.
func (d *database) changed(ctx context.Context, none error, text string, args ...any) error {
	rows, err := d.exec(ctx, text, args...)
	if err == nil && rows == 0 {
		return none
	}
	return d.explain(err)
}

// list reads all rows of a query.
func list[T any](ctx context.Context, d *database, scan func(record.Row) (T, error), text string, args ...any) (all []T, err error) {
	err = d.readers.retry(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, text, args...)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (T, error) { return scan(row) })
		return err
	})
	return all, d.explain(err)
}

// some is list, with the time of one statement.
func some[T any](ctx context.Context, d *database, scan func(record.Row) (T, error), text string, args ...any) ([]T, error) {
	ctx, stop := context.WithTimeout(ctx, d.place.limits.wait+d.place.limits.statement)
	defer stop()
	return list(ctx, d, scan, text, args...)
}

// long is a transaction that may take its time.
func (d *database) long(ctx context.Context, o pgx.TxOptions, f func(pgx.Tx) error) error {
	return d.explain(d.readers.with(ctx, func(c *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, c, o, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
				return err
			}
			return f(tx)
		})
	}))
}

// lockKey is for those who do the same to the same tables.
func (d *database) lockKey(what string) int64 {
	h := fnv.New64a()
	h.Write([]byte("nod " + what + " " + d.place.schema))
	return int64(h.Sum64())
}
