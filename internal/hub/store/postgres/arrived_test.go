//go:build unix

package postgres

import (
	"testing"

	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/storetest"
)

// Nothing is sent on a connection that the server has closed, so it is certain that
// nothing was done.
func TestClosedConnectionIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	s := opened(t, own.Database(t))
	var c storetest.Chain
	for range 10 {
		grow(t, s, &c, 2) // fails if the append does
		own.Exec(t, "t1", `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name LIKE 'nod%'`)
	}
}
