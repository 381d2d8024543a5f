package postgres

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/storetest"
)

// BenchmarkAppend is to be read beside BenchmarkCommit: what the log costs over
// the smallest commit that the same server can do, with a disk that is flushed.
func BenchmarkAppend(b *testing.B) {
	own := pgtest.Start(b, "fsync = on")
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("%d events", n), func(b *testing.B) {
			s := opened(b, own.Database(b))
			var c storetest.Chain
			for b.Loop() {
				b.StopTimer()
				after := c.Seq
				es := c.Mixed(b, n)
				b.StartTimer()
				if err := s.Append(b.Context(), after, es); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("smallest commit", func(b *testing.B) {
		s := opened(b, own.Database(b))
		err := s.writer.with(b.Context(), func(c *pgx.Conn) error {
			if _, err := c.Exec(b.Context(), `CREATE TABLE small (n bigint)`); err != nil {
				return err
			}
			for b.Loop() {
				if _, err := c.Exec(b.Context(), `INSERT INTO small VALUES ($1)`, 1); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkWake is how long it takes until another hub has read what one
// appended.
func BenchmarkWake(b *testing.B) {
	own := pgtest.Start(b, "fsync = on")
	address := own.Database(b)
	us, others := opened(b, address), opened(b, address)
	wake := others.Watch(b.Context(), 0)
	var c storetest.Chain
	grow(b, us, &c, 1)
	<-wake
	for b.Loop() {
		after := c.Seq
		es := c.Notes(b, 1)
		if err := us.Append(b.Context(), after, es); err != nil {
			b.Fatal(err)
		}
		for got := []nod.Event(nil); len(got) == 0; {
			<-wake
			got, _ = others.Read(b.Context(), after, 10)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	own := pgtest.Start(b)
	s := opened(b, own.Database(b))
	var c storetest.Chain
	for range 20 {
		grow(b, s, &c, 500)
	}
	for _, n := range []int{1, 256} {
		b.Run(fmt.Sprintf("%d events", n), func(b *testing.B) {
			for b.Loop() {
				if es, err := s.Read(b.Context(), 5000, n); err != nil || len(es) != n {
					b.Fatal(len(es), err)
				}
			}
		})
	}
}
