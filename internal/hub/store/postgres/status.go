package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"nod"
)

// listening is how the connections of Watch call themselves, so that hubs can
// be counted.
const listening = "nod listening"

// Head is where the log ends.
func (s *Store) Head(ctx context.Context) (nod.Seq, nod.Hash, error) {
	head, err := s.head(ctx)
	return head.Seq, head.Hash, s.explain(err)
}

// Size is how many bytes nod's tables take, with their indexes.
func (s *Store) Size(ctx context.Context) (bytes int64, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(quote_ident($1))`,
			s.place.schema).Scan(&bytes)
	})
	return bytes, s.explain(err)
}

// Server is the version of PostgreSQL, and how many hubs listen to this log now.
func (s *Store) Server(ctx context.Context) (version string, hubs int, err error) {
	err = s.readers.retry(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, `SELECT 'PostgreSQL ' || current_setting('server_version'), (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1)`,
			listening+" "+s.place.schema).Scan(&version, &hubs)
	})
	return version, hubs, s.explain(err)
}
