package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
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
	s := New(adapter.Deps{Deps: hub.Deps{Now: time.Now, Log: quiet}}, Needs{Meter: NewMeter()})
	s.requests = map[nod.RequestID]*progress{"r1": {kind: nod.KindApproval, raised: time.Now()}}
	e := nod.Event{Kind: nod.RequestDecided, RequestID: "r1", At: time.Now(), Decision: &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, Via: "web"}}
	for b.Loop() {
		s.take(&e)
	}
}

// A scrape of a hub with 5,000 agents on 50 machines.
func BenchmarkScrape(b *testing.B) {
	m := NewMeter()
	h, err := hub.Open(b.Context(), mem.New(), hub.Options{Count: m.Commit})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close(context.Background())
	err = h.Link("bench").Report(b.Context(), func(*nod.State, time.Time) (all []nod.Event) {
		for i := range 5000 {
			id := nod.AgentID(fmt.Sprint("a", i))
			all = append(all, nod.Event{Kind: nod.AgentChanged, AgentID: id, Agent: &nod.Agent{ID: id, Host: fmt.Sprint("host", i%50), State: nod.AgentWorking}})
		}
		return all
	})
	if err != nil {
		b.Fatal(err)
	}
	s := New(adapter.Deps{Deps: hub.Deps{Hub: h, Now: time.Now, Log: quiet}}, Needs{Meter: m})
	for b.Loop() {
		if err := s.serve(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)); err != nil {
			b.Fatal(err)
		}
	}
}
