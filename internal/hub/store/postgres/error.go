package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"nod"
	"nod/internal/hub"
)

// lost reports whether the connection ended during a statement, or will end at the
// next one.
func lost(err error) bool {
	var pg *pgconn.PgError
	var dial *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &dial):
		return false // trying again at once is no use
	case errors.As(err, &pg):
		return strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "08")
	case errors.As(err, &network) && network.Timeout():
		return false
	}
	return pgconn.SafeToRetry(err) || errors.As(err, &network) || lostWords(err)
}

// lostWords reports whether an error is a name for the end of a connection.
func lostWords(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || strings.Contains(err.Error(), "conn closed")
}

// away reports whether a connection failed but may soon succeed: the server is
// restarting, or has no free connection at the moment.
func away(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return strings.HasPrefix(pg.Code, "57P") || pg.Code == "53300"
	}
	var dial *pgconn.ConnectError
	return errors.As(err, &dial) && (errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT) || lostWords(err))
}

// unwritten is explain for an append: it marks what certainly did not happen.
func (d *database) unwritten(err error) error {
	if err != nil && neverWritten(err) {
		err = errors.Join(err, hub.ErrNotWritten)
	}
	return d.explain(err)
}

// neverWritten reports whether a statement was not sent, or was refused by a server
// that keeps running: one that stops may have written before.
func neverWritten(err error) bool {
	var pg *pgconn.PgError
	switch {
	case errors.Is(err, errUnsent):
		return true
	case errors.As(err, &pg):
		return !slices.Contains([]string{"08", "58", "XX"}, pg.Code[:min(2, len(pg.Code))]) && !strings.HasPrefix(pg.Code, "57P")
	}
	return pgconn.SafeToRetry(err)
}

// explain turns errors of PostgreSQL and the network into text that tells a person
// what happened and what to do.
func (d *database) explain(err error) error {
	var ours *nod.Error
	var pg *pgconn.PgError
	var dial *pgconn.ConnectError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return err
	case errors.Is(err, errFull):
		return nod.Errorf(nod.Unavailable, "all %d connections to %s are busy: try again, or raise pool_max_conns in the address", d.place.limits.connections, d.place).Because(err)
	case errors.Is(err, puddle.ErrClosedPool):
		return nod.Errorf(nod.Unavailable, "the log is closed: nod is shutting down").Because(err)
	case errors.As(err, &pg):
		if pg.Code == readOnly { // the primary may be elsewhere by now
			d.writer.Reset()
			d.readers.Reset()
		}
		return d.explainCode(pg).Because(err)
	case errors.As(err, &dial):
		return nod.Errorf(nod.Unavailable, "%s cannot be reached: check that it runs, and the host, port and network; nod tries again by itself", d.place).Because(err)
	case errors.Is(err, context.Canceled):
		return nod.Errorf(nod.Unavailable, "it was given up before the log could answer").Because(err)
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return d.slow().Because(err)
	case lost(err):
		return nod.Errorf(nod.Unavailable, "the connection to %s was lost: nod tries again by itself", d.place).Because(err)
	}
	return nod.Errorf(nod.Internal, "%s failed", d.place).Because(err)
}

// The codes that mean something of their own here.
const (
	readOnly       = "25006"
	undefinedTable = "42P01"
	taken          = "23505"
)

func (d *database) slow() *nod.Error {
	return nod.Errorf(nod.Unavailable, "%s took longer than %s: it is overloaded, or something holds a lock; try again", d.place, d.place.limits.server())
}

// explainCode explains PostgreSQL error codes and their classes.
func (d *database) explainCode(pg *pgconn.PgError) *nod.Error {
	switch pg.Code {
	case readOnly:
		return nod.Errorf(nod.Unavailable, "%s is read-only, a standby perhaps, and nothing was recorded: name the primary in the address, or all hosts of the cluster", d.place)
	case "57014", "55P03":
		return d.slow()
	case "28P01", "28000":
		return nod.Errorf(nod.Unavailable, "%s does not let nod in: check the user and the password, and pg_hba.conf on the server", d.place)
	case "3D000":
		return nod.Errorf(nod.Unavailable, "%s does not exist yet: make it with createdb", d.place)
	case "42501":
		return nod.Errorf(nod.Unavailable, "%s does not let nod write: make nod's user the owner of the database", d.place)
	case "53100":
		return nod.Errorf(nod.Unavailable, "the disk of %s is full, and nothing was recorded: make room there, nod then goes on by itself", d.place)
	case "53300":
		return nod.Errorf(nod.Unavailable, "%s has no connection left: raise max_connections there, or lower pool_max_conns in the address", d.place)
	case "22021", "22P05":
		return nod.Errorf(nod.Invalid, "a name with a zero byte or broken letters cannot be kept")
	case undefinedTable, "3F000":
		return nod.Errorf(nod.Internal, "tables of nod are missing in %s: put a backup in its place", d.place)
	}
	switch pg.Code[:min(2, len(pg.Code))] {
	case "08", "57": // 57P01, 57P02, 57P03: shutting down, crashed, starting
		return nod.Errorf(nod.Unavailable, "%s is shutting down or starting: nod tries again by itself", d.place)
	case "53":
		return nod.Errorf(nod.Unavailable, "%s is out of memory or room: nod tries again by itself", d.place)
	case "58", "XX":
		return nod.Errorf(nod.Internal, "%s reports that its files are damaged: look into its log", d.place)
	}
	return nod.Errorf(nod.Internal, "%s failed", d.place)
}
