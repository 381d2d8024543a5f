package link

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/linkwire"
	"nod/internal/store/mem"
)

// The same batch told to two hubs of one log is taken in once, also where the
// second does not know yet what the first one heard.
func TestABatchIsTakenInOnce(t *testing.T) {
	store := mem.NewShared()
	var drivers []*Driver
	for _, name := range []string{"a", "b"} {
		h, err := hub.Open(t.Context(), store, hub.Options{Name: name, Host: name})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close(t.Context()) })
		drivers = append(drivers, New(Options{Hub: h, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	}
	err := drivers[0].Report(t.Context(), changed("laptop", func(h *nod.Host) { h.Log = "log" }))
	if err != nil {
		t.Fatal(err)
	}
	events := []nod.Event{
		{Seq: 1, Kind: nod.AgentChanged, AgentID: "agent", Agent: &nod.Agent{ID: "agent", Name: "shop", State: nod.Working}},
		{Seq: 2, Kind: nod.TurnTaken, AgentID: "agent", Turn: &nod.Turn{Agent: "agent", Role: nod.Replied, Text: "once"}},
	}
	batch := linkwire.Facts{Log: "log", Upto: 2}
	for _, e := range events {
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		batch.Events = append(batch.Events, body)
	}
	for _, d := range []*Driver{drivers[0], drivers[1], drivers[0]} {
		if err := d.takeIn(t.Context(), "laptop", batch); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := store.Read(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for _, e := range kept {
		if e.Kind == nod.TurnTaken {
			turns++
		}
	}
	if turns != 1 {
		t.Errorf("the turn is in the log %d times", turns)
	}
}
