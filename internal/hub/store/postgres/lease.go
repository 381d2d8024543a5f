package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// Lease implements hub.Leaser, by the clock of the database: those of the hubs
// may differ.
func (s agreements) Lease(ctx context.Context, name, holder string, d time.Duration) (held bool, err error) {
	if d <= 0 {
		_, err := s.exec(ctx, `DELETE FROM leases WHERE name = $1 AND holder = $2`, name, holder)
		return false, s.explain(err)
	}
	done, err := s.exec(ctx, `INSERT INTO leases AS l (name, holder, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 microsecond')
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE l.holder = excluded.holder OR l.until <= clock_timestamp()`, name, holder, d.Microseconds())
	if err != nil {
		return false, s.explain(err)
	}
	if rand.N(100) == 0 { // now and then, remove what is long over
		_, err = s.exec(ctx, `DELETE FROM leases WHERE until < clock_timestamp() - interval '1 hour'`)
	}
	return done > 0, s.explain(err)
}

// Clock is the database's own wall clock, the same for all hubs.
func (s agreements) Clock(ctx context.Context) (now time.Time, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error { return c.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now) })
	return now.UTC(), s.explain(err)
}
