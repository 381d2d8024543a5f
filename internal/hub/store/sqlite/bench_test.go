package sqlite

import (
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/storetest"
)

// One append is one flush to disk, however many events it has: the difference
// is what group commit is for. Sealing is counted too; it costs some 5 µs.
func BenchmarkAppendOne(b *testing.B)      { benchmarkAppend(b, 1) }
func BenchmarkAppendBatch100(b *testing.B) { benchmarkAppend(b, 100) }

func benchmarkAppend(b *testing.B, size int) {
	s := opened(b, file(b))
	var c storetest.Chain
	batch := make([]nod.Event, size)
	for b.Loop() {
		after := c.Seq
		for i := range batch {
			batch[i] = c.Next(b, nod.Event{Kind: nod.TurnTaken, AgentID: "a", RequestID: "r", Note: strings.Repeat("x", 1000)})
		}
		if err := s.Append(b.Context(), after, batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkOpen(b *testing.B) {
	path := file(b)
	for b.Loop() {
		s, err := Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func BenchmarkRead(b *testing.B) {
	s, n := filled(b)
	for b.Loop() {
		for after := nod.Seq(0); ; {
			es, err := s.Read(b.Context(), after, 256)
			if err != nil {
				b.Fatal(err)
			}
			if len(es) == 0 {
				break
			}
			after = es[len(es)-1].Seq
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkVerify(b *testing.B) {
	s, n := filled(b)
	for b.Loop() {
		if _, _, err := s.Verify(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "events/s")
}

func filled(b *testing.B) (*Store, int) {
	const n = 10_000
	s := opened(b, file(b))
	var c storetest.Chain
	if err := s.Append(b.Context(), 0, c.Mixed(b, n)); err != nil {
		b.Fatal(err)
	}
	return s, n
}
