package postgres

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"nod"
)

// limits bound how long callers wait for the database.
type limits struct {
	connections int           // for reading, besides the one that appends and the one that listens
	connect     time.Duration // to reach it
	wait        time.Duration // for a free connection
	statement   time.Duration // for one statement; Append takes no longer in all
}

func (l limits) orDefault() limits {
	return limits{
		connections: cmp.Or(l.connections, 6), connect: cmp.Or(l.connect, 3*time.Second),
		wait: cmp.Or(l.wait, 3*time.Second), statement: cmp.Or(l.statement, 5*time.Second),
	}
}

// server is how long the server tries. It gives up before we do: what it refused
// has certainly not happened, what we gave up on perhaps has.
func (l limits) server() time.Duration { return l.statement * 4 / 5 }

// place is where the database is, in words that may be shown.
type place struct {
	host, database, schema string
	limits                 limits
}

func (p place) String() string { return "PostgreSQL " + p.database + " at " + p.host }

// parse reads the address. Errors do not repeat what the parser says, because that
// may quote a password.
func parse(address string, l limits) (*pgxpool.Config, place, error) {
	url := strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
	said, err := pgx.ParseConfig(address)
	if !url || err != nil {
		return nil, place{}, nod.Errorf(nod.Invalid, "the address of the PostgreSQL database cannot be understood: write it as postgres://user@host:5432/database, "+
			"with %%-escapes for odd letters in a password, and check that the files it names are there")
	}
	pooled, err := pgxpool.ParseConfig(address)
	if err != nil { // whatever pgxpool adds to an address begins with pool_
		return nil, place{}, nod.Errorf(nod.Invalid, "the pool_ settings in the address of the PostgreSQL database are wrong: pool_max_conns must be a number above 0, and times are written like 5m")
	}
	if _, ok := said.RuntimeParams["pool_max_conns"]; ok {
		l.connections = int(pooled.MaxConns)
	}
	if _, ok := said.RuntimeParams["pool_max_conn_idle_time"]; !ok {
		pooled.MaxConnIdleTime = idleTime
	}
	p := configure(pooled.ConnConfig, l)
	return pooled, p, nil
}

// configure sets what nod needs of every connection.
func configure(config *pgx.ConnConfig, l limits) place {
	params := config.RuntimeParams
	if config.ConnectTimeout == 0 || config.ConnectTimeout > l.connect {
		config.ConnectTimeout = l.connect
	}
	p := place{host: hostOf(config), database: config.Database, schema: "nod", limits: l}
	if path := params["search_path"]; path != "" {
		p.schema = strings.TrimSpace(strings.Split(path, ",")[0])
	}
	params["search_path"] = pgx.Identifier{p.schema}.Sanitize()
	params["application_name"] = cmp.Or(params["application_name"], "nod")
	params["statement_timeout"] = millis(l.server())
	params["lock_timeout"] = millis(l.server())
	params["idle_in_transaction_session_timeout"] = millis(4 * l.statement)
	params["default_transaction_isolation"] = "read committed"
	params["timezone"] = "UTC"
	config.AfterConnect = flushing
	if len(config.Fallbacks) > 0 && config.ValidateConnect == nil && severalHosts(config) {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	return p
}

// flushing makes commits wait for the disk where the server was told that they
// need not: what nod has acknowledged must not be lost.
func flushing(ctx context.Context, c *pgconn.PgConn) error {
	_, err := c.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`).ReadAll()
	return err
}

func severalHosts(c *pgx.ConnConfig) bool {
	for _, f := range c.Fallbacks {
		if f.Host != c.Host || f.Port != c.Port {
			return true
		}
	}
	return false
}

func hostOf(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") {
		return fmt.Sprintf("%s (port %d)", c.Host, c.Port)
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
