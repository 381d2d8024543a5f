package nod_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"nod"
)

// The history that is kept is also limited by its size in bytes, even after a state was
// saved and read back in the middle.
func TestLargeInputsDoNotStayInMemory(t *testing.T) {
	large := json.RawMessage(`"` + string(bytes.Repeat([]byte("x"), 1<<20)) + `"`)
	for _, readBack := range []bool{false, true} {
		s := nod.NewState()
		for n := range 40 {
			id := nod.RequestID(fmt.Sprint("r", n))
			s.Apply(&nod.Event{Kind: nod.RequestRaised, RequestID: id, Request: &nod.Request{ID: id, Status: nod.Pending, Input: large}})
			s.Apply(&nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}}})
			if readBack && n == 5 {
				body, err := json.Marshal(s)
				if s = nod.NewState(); err != nil || json.Unmarshal(body, &s) != nil {
					t.Fatal(err)
				}
			}
		}
		if len(s.Requests) != 7 || len(s.Settled) != 7 { // 8 MB, less quotes
			t.Errorf("read back %v: %d requests and %d settled are kept of 40 that weigh a megabyte each, want 7", readBack, len(s.Requests), len(s.Settled))
		}
		if _, newest := s.Requests["r39"]; !newest {
			t.Error("the newest is gone")
		}
		for n := range 300 { // small ones: by their number
			id := nod.RequestID(fmt.Sprint("s", n))
			s.Apply(&nod.Event{Kind: nod.RequestRaised, RequestID: id, Request: &nod.Request{ID: id, Status: nod.Pending}})
			s.Apply(&nod.Event{Kind: nod.RequestExpired, RequestID: id})
		}
		if len(s.Requests) != 200 {
			t.Errorf("%d small ones are kept, want 200", len(s.Requests))
		}
	}
}
