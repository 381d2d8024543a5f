package storetest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"nod"
	"nod/internal/hub"
)

// find compares the store's search with the law in Query.Matches, for every
// combination of filters, page by page.
func find(t *testing.T, s hub.Store, h hub.Historian) {
	var c Chain
	es := c.Mixed(t, 500)
	appendTo(t, s, es)
	for _, q := range queries() {
		t.Run(fmt.Sprintf("%+v", q), func(t *testing.T) {
			want := matching(es, q)
			for _, page := range []int{7, 1000} {
				same(t, findAll(t, h, q, page), want)
			}
			got, err := h.Find(t.Context(), q, 250, 1000)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, matching(es[:249], q))
		})
	}
	findEdges(t, h, es)
}

func findEdges(t *testing.T, h hub.Historian, es []nod.Event) {
	for _, before := range []nod.Seq{501, 9999, math.MaxInt64, math.MaxUint64} {
		got, err := h.Find(t.Context(), hub.Query{}, before, 3)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, matching(es[497:], hub.Query{}))
	}
	if got, err := h.Find(t.Context(), hub.Query{}, 1, 3); err != nil || len(got) != 0 {
		t.Errorf("before the first event: %v, %v; want nothing", got, err)
	}
	_, err := h.Find(t.Context(), hub.Query{}, 0, 0)
	wantCode(t, err, nod.Invalid)
}

func findNothing(t *testing.T, s hub.Store) {
	for _, q := range queries() {
		if es, err := s.(hub.Historian).Find(t.Context(), q, 0, 5); err != nil || len(es) != 0 {
			t.Errorf("%+v in an empty log: %v, %v", q, es, err)
		}
	}
}

func queries() (qs []hub.Query) {
	for _, kinds := range [][]nod.EventKind{nil, {nod.TurnTaken}, {nod.RequestRaised, nod.RequestDecided}, {"never.heard"}} {
		for _, agent := range []nod.AgentID{"", "anna", "\U0001F916", "nobody"} {
			for _, request := range []nod.RequestID{"", "ab", "ab\u00ff", "\U0001F914", "b%", "\xff"} {
				qs = append(qs, hub.Query{Kinds: kinds, Agent: agent, Request: request})
				qs = append(qs, hub.Query{Kinds: kinds, Agent: agent, Request: request, Prefix: true})
			}
		}
	}
	return qs
}

func matching(es []nod.Event, q hub.Query) (found []nod.Event) {
	for _, e := range slices.Backward(es) {
		if q.Matches(&e) {
			found = append(found, e)
		}
	}
	return found
}

func findAll(t *testing.T, h hub.Historian, q hub.Query, page int) (all []nod.Event) {
	t.Helper()
	for before := nod.Seq(0); ; {
		es, err := h.Find(t.Context(), q, before, page)
		if err != nil {
			t.Fatal(err)
		}
		if len(es) == 0 {
			return all
		}
		if len(es) > page {
			t.Fatalf("Find returned %d events, %d were asked for", len(es), page)
		}
		all = append(all, es...)
		before = es[len(es)-1].Seq
	}
}
