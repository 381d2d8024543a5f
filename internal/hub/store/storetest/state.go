package storetest

import (
	"encoding/json"
	"reflect"
	"testing"

	"nod"
	"nod/internal/hub"
)

func savedState(t *testing.T, s hub.Store) {
	expires := Dawn.AddDate(0, 0, 1)
	full := nod.NewState()
	full.Seq, full.Hash, full.At = 7, nod.Chain(nod.Hash{}, []byte("seven")), Dawn
	full.Agents["žofie"] = &nod.Agent{ID: "žofie", State: nod.AgentWaiting, Since: Dawn, Subagents: []nod.Subagent{{ID: "sub", Since: Dawn}}, Process: &nod.Process{PID: 4711}}
	full.Requests["r1"] = &nod.Request{
		ID: "r1", Kind: nod.KindApproval, Status: nod.Pending, AskedAt: Dawn, ExpiresAt: &expires,
		Input:    json.RawMessage(`{"command":"rm -rf build"}`),
		Receipts: []nod.Receipt{{Step: nod.StepStored, By: "hub", At: Dawn}},
	}
	full.Settled, full.Ended = []nod.RequestID{"r0"}, []nod.AgentID{"gone"}
	later := nod.NewState()
	later.Seq, later.At = 8, Dawn

	// A hub that could not use a saved state starts again from the log, so also
	// an older state replaces a newer one.
	for _, want := range []nod.State{nod.NewState(), full, later, full} {
		if err := s.Save(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		got, err := s.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("Load:\n%+v\nwant:\n%+v", got, want)
		}
	}
	got, _ := s.Load(t.Context())
	got.Agents["žofie"].Name = "changed"
	delete(got.Requests, "r1")
	if again, _ := s.Load(t.Context()); !reflect.DeepEqual(again, full) {
		t.Errorf("the saved state changed with a loaded one: %+v", again)
	}
}
