package hub_test

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/hub/store/sqlite"
)

// BenchmarkOne is one question and its answer, one after the other.
func BenchmarkOne(b *testing.B) {
	b.Run("mem", func(b *testing.B) { benchmarkOne(b, mem.New()) })
	b.Run("sqlite", func(b *testing.B) { benchmarkOne(b, disk(b)) })
}

// BenchmarkMany is what many clients do at once: group commit.
func BenchmarkMany(b *testing.B) {
	b.Run("mem", func(b *testing.B) { benchmarkMany(b, mem.New()) })
	b.Run("sqlite", func(b *testing.B) { benchmarkMany(b, disk(b)) })
}

func disk(b *testing.B) hub.Store {
	b.Helper()
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "nod.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func serving(b *testing.B, s hub.Store) *hub.Hub {
	b.Helper()
	return open(b, s)
}

func benchmarkOne(b *testing.B, s hub.Store) {
	h := serving(b, s)
	n := 0
	for b.Loop() {
		n++
		askAndAnswer(b, h, fmt.Sprintf("r%08d", n))
	}
}

func benchmarkMany(b *testing.B, s hub.Store) {
	h := serving(b, s)
	var n atomic.Int64
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			askAndAnswer(b, h, fmt.Sprintf("r%08d", n.Add(1)))
		}
	})
}

func askAndAnswer(b *testing.B, h *hub.Hub, id string) {
	if _, err := h.Link("test").Ask(b.Context(), request(id)); err != nil {
		b.Fatal(err)
	}
	if _, err := h.Desk(anna).Decide(b.Context(), nod.RequestID(id), nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		b.Fatal(err)
	}
}
