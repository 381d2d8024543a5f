// Package storetest is the suite that every store passes: what the ports of hub
// and auth promise, as tests.
package storetest

import (
	"fmt"
	"testing"
	"time"

	"nod"
)

// Dawn is when the first event of every Chain happens.
var Dawn = time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)

// Chain makes sealed events, each after the one before.
type Chain struct {
	Seq  nod.Seq
	Hash nod.Hash
}

// Next seals an event as the next of the log.
func (c *Chain) Next(t testing.TB, e nod.Event) nod.Event {
	t.Helper()
	e.Seq = c.Seq + 1
	if e.At.IsZero() {
		e.At = Dawn.Add(time.Duration(e.Seq) * time.Second)
	}
	if err := e.Seal(c.Hash); err != nil {
		t.Fatal(err)
	}
	c.Seq, c.Hash = e.Seq, e.Hash
	return e
}

// Notes makes n small events.
func (c *Chain) Notes(t testing.TB, n int) []nod.Event {
	t.Helper()
	es := make([]nod.Event, n)
	for i := range es {
		es[i] = c.Next(t, nod.Event{Kind: nod.HubStarted, Note: fmt.Sprintf("note %d", c.Seq+1)})
	}
	return es
}

// Mixed makes n events of all sorts of agents, requests and kinds, so that
// there is something to find.
func (c *Chain) Mixed(t testing.TB, n int) []nod.Event {
	t.Helper()
	agents := []nod.AgentID{"", "anna", "anna-2", "bért", "\U0001F916"}
	requests := []nod.RequestID{"", "a", "ab", "abc", "ab\u00ff", "b", "\U0001F914x"}
	kinds := []nod.EventKind{nod.RequestRaised, nod.RequestDecided, nod.TurnTaken, nod.AccessRefused}
	es := make([]nod.Event, n)
	for i := range es {
		es[i] = c.Next(t, nod.Event{
			Kind:      kinds[i%len(kinds)],
			AgentID:   agents[i%len(agents)],
			RequestID: requests[i%len(requests)],
			Note:      fmt.Sprintf("mixed %d", i),
		})
	}
	return es
}
