package nod

import (
	"encoding/json"
	"testing"
)

// A checkpoint from before agents had numbers may hold no agent at all.
func TestOldCheckpointWithoutAgentsIsKept(t *testing.T) {
	c := Checkpoint{Seq: 7, Hash: Chain(Hash{}, nil)}
	s := NewState()
	s.Seq, s.Hash, s.Version, s.Numbers = c.Seq, c.Hash, 3, nil
	s.Leases["l"] = &Lease{ID: "l"}
	var err error
	if c.State, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	if base := c.Base(); base.Leases["l"] == nil {
		t.Errorf("the lease is gone: %+v", base)
	}
}
