package link

import (
	"encoding/json"
	"testing"

	"nod"
	"nod/internal/agent/link/wire"
)

// The same batch sent to two hubs of one log is recorded once, even if the second does
// not know yet what the first one recorded.
func TestBatchIsRecordedOnce(t *testing.T) {
	drivers, store := twoHubs(t)
	err := drivers[0].Report(t.Context(), changed("laptop", func(h *nod.Host) { h.Log = "log" }))
	if err != nil {
		t.Fatal(err)
	}
	events := []nod.Event{
		{Seq: 1, Kind: nod.AgentChanged, AgentID: "agent", Agent: &nod.Agent{ID: "agent", Name: "shop", State: nod.AgentWorking}},
		{Seq: 2, Kind: nod.TurnTaken, AgentID: "agent", Turn: &nod.Turn{Agent: "agent", Role: nod.TurnAgent, Text: "once"}},
	}
	batch := wire.Facts{Log: "log", Upto: 2}
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
