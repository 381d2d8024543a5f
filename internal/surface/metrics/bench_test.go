package metrics

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

var quiet = slog.New(slog.DiscardHandler)

// It runs inside the hub's writer: it must cost nothing beside an fsync.
func BenchmarkCommit(b *testing.B) {
	m := NewMeter()
	for b.Loop() {
		m.Commit(hub.Commit{Commands: 3, Events: 5, Took: time.Millisecond})
	}
}

func BenchmarkDecision(b *testing.B) {
	s := New(Options{Meter: NewMeter(), Now: time.Now, Log: quiet})
	s.courses = map[nod.RequestID]*course{"r1": {kind: nod.KindApproval, raised: time.Now()}}
	e := nod.Event{Kind: nod.RequestDecided, RequestID: "r1", At: time.Now(), Decision: &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, Via: "web"}}
	for b.Loop() {
		s.take(&e)
	}
}

func BenchmarkWrite(b *testing.B) {
	m := NewMeter()
	for b.Loop() {
		m.write(io.Discard)
	}
}
