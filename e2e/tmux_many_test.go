package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/rig"
)

func TestMessagesAreDeliveredInLogOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	const each = 6
	var mu sync.Mutex
	var ids []nod.MessageID
	var all sync.WaitGroup
	for sender := range 2 {
		all.Go(func() {
			for i := range each {
				id := w.say(t, a, fmt.Sprintf("sender %d says %d", sender, i), nod.Queue)
				mu.Lock()
				ids = append(ids, id)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		m.reached(t, w, s, id, nod.Delivered)
	}
	order := said(t, w, nod.MessageSaid)
	if heard := said(t, w, nod.TurnTaken); len(order) != 2*each || !slices.Equal(order, heard) {
		t.Errorf("said\n%s\nheard\n%s", strings.Join(order, "\n"), strings.Join(heard, "\n"))
	}
}

// said lists texts of one sort of event, in the order of the log.
func said(t *testing.T, w *world, kind nod.EventKind) (texts []string) {
	t.Helper()
	for after := nod.Seq(0); ; {
		entries, err := w.client.Log(t.Context(), after, 500)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			return texts
		}
		for _, entry := range entries {
			e, err := nod.Unseal(entry.Event, entry.Hash)
			if err != nil {
				t.Fatal(err)
			}
			after = e.Seq
			switch {
			case e.Kind != kind:
			case e.Message != nil:
				texts = append(texts, e.Message.Text)
			case e.Turn != nil && e.Turn.Role == nod.TurnPerson:
				texts = append(texts, e.Turn.Text)
			}
		}
	}
}

func TestFiftyMessagesArriveExactlyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	const many = 50
	for i := range many {
		text := fmt.Sprintf("message %d of many", i)
		if i%5 == 0 {
			text += "\nwith\nmore\nlines"
		}
		w.delivered(t, m, s, a, text)
	}
	heard, want := said(t, w, nod.TurnTaken), said(t, w, nod.MessageSaid)
	if len(heard) != many || !slices.Equal(heard, want) {
		t.Errorf("%d messages, %d heard\n%s", len(want), len(heard), strings.Join(heard, "\n"))
	}
}

// Whenever the hub dies between typing and confirmation: the message arrives once,
// or is said not to have been confirmed. It never arrives twice.
func TestTheHubDiesBetweenTypedAndConfirmed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	outcomes := map[nod.MessageStatus]int{}
	for round := range 6 {
		text := fmt.Sprintf("survive round %d", round)
		id := w.say(t, a, text, nod.Queue)
		status := nod.Typed
		if round%3 == 2 {
			status = nod.Queued
		}
		m.reached(t, w, s, id, status, nod.Typed, nod.Delivered)
		w.killHub(t)
		w.startHub(t)
		got := m.reached(t, w, s, id, nod.Delivered, nod.Failed)
		outcomes[got.Status]++
		if got.Status == nod.Delivered {
			rig.Until(t, "the model to be told", func() bool { return w.timesSent(text) == 1 }, s.Screen)
		}
		s.WaitStatus(t, "idle")
		if n := w.timesSent(text); n > 1 || n == 1 != (got.Status == nod.Delivered) {
			t.Errorf("round %d: the agent was told %d times, the message is %s: %s", round, n, got.Status, got.Problem)
		}
		w.talkable(t)
	}
	t.Logf("outcomes: %v", outcomes)
	if outcomes[nod.Delivered] == 0 {
		t.Error("nothing was ever delivered")
	}
}
