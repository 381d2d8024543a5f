package pgtest_test

import (
	"context"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"nod/internal/hub/store/pgtest"
)

func TestServerKeepsItsDataAcrossARestart(t *testing.T) {
	s := pgtest.Start(t)
	address := s.Database(t)
	s.Exec(t, "t1", "CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)")
	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		s.Stop(t, how)
		if c, err := pgx.Connect(t.Context(), address); err == nil {
			t.Fatal("it still answers", c.Close(context.Background()))
		}
		s.Start(t)
		c, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := c.QueryRow(t.Context(), "SELECT n FROM kept").Scan(&n); err != nil || n != 42 {
			t.Errorf("%d, %v", n, err)
		}
		_ = c.Close(t.Context())
	}
}
