package storetest

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
)

// Run checks what hub.Store promises, and hub.Historian when the store has that
// power too. Every call of open gives a new, empty store.
func Run(t *testing.T, open func(t *testing.T) hub.Store) {
	for name, test := range map[string]func(*testing.T, hub.Store){
		"an empty log":                      empty,
		"what was appended is read back":    exactBytes,
		"read stops at its limit":           limit,
		"only the head can be followed":     conflict,
		"gaps and unsealed events":          refused,
		"beyond the head is gone":           gone,
		"a large event":                     large,
		"any text":                          anyText,
		"the caller keeps its events":       notShared,
		"a cancelled append leaves nothing": cancelled,
		"the saved state":                   savedState,
		"readers while it is written":       readersAndWriter,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	s := open(t)
	if h, ok := s.(hub.Historian); ok {
		t.Run("find", func(t *testing.T) { find(t, s, h) })
		t.Run("find in an empty log", func(t *testing.T) { findNothing(t, open(t)) })
	}
}

func empty(t *testing.T, s hub.Store) {
	if es, err := s.Read(t.Context(), 0, 10); err != nil || len(es) != 0 {
		t.Errorf("Read = %v, %v; want nothing", es, err)
	}
	if err := s.Append(t.Context(), 0, nil); err != nil {
		t.Errorf("appending nothing: %v", err)
	}
	state, err := s.Load(t.Context())
	if err != nil || !reflect.DeepEqual(state, nod.NewState()) {
		t.Errorf("Load = %+v, %v; want a new state", state, err)
	}
}

func exactBytes(t *testing.T, s hub.Store) {
	var c Chain
	var all []nod.Event
	for _, n := range []int{1, 3, 1, 100, 2} {
		es := c.Mixed(t, n)
		appendTo(t, s, es)
		all = append(all, es...)
	}
	for _, step := range []int{1, 7, 1000} {
		same(t, readAll(t, s, step), all)
	}
}

func limit(t *testing.T, s hub.Store) {
	var c Chain
	es := c.Notes(t, 10)
	appendTo(t, s, es)
	got, err := s.Read(t.Context(), 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, es[4:7])
	for _, n := range []int{0, -1} {
		_, err := s.Read(t.Context(), 4, n)
		wantCode(t, err, nod.Invalid)
	}
}

func conflict(t *testing.T, s hub.Store) {
	var c Chain
	es := c.Notes(t, 6)
	appendTo(t, s, es[:3])
	for name, again := range map[string][]nod.Event{"the same again": es[:3], "overlapping": es[2:4], "too far ahead": es[4:]} {
		err := s.Append(t.Context(), again[0].Seq-1, again)
		if nod.CodeOf(err) != nod.Conflict || err == nil {
			t.Errorf("%s: %v; want Conflict", name, err)
		}
	}
	same(t, readAll(t, s, 100), es[:3])
	appendTo(t, s, es[3:])
	same(t, readAll(t, s, 100), es)
}

func refused(t *testing.T, s hub.Store) {
	var c Chain
	es := c.Notes(t, 4)
	unsealed := nod.Event{Seq: 2, Kind: nod.HubStarted}
	for name, bad := range map[string][]nod.Event{
		"a gap":          {es[0], es[2]},
		"a repetition":   {es[0], es[0]},
		"swapped":        {es[1], es[0]},
		"not from after": {es[1]},
		"not sealed":     {es[0], unsealed},
	} {
		err := s.Append(t.Context(), 0, bad)
		if nod.CodeOf(err) != nod.Internal || err == nil {
			t.Errorf("%s: %v; want Internal", name, err)
		}
	}
	if es := readAll(t, s, 10); len(es) != 0 {
		t.Errorf("something of what was refused is there: %v", es)
	}
}

func gone(t *testing.T, s hub.Store) {
	var c Chain
	appendTo(t, s, c.Notes(t, 3))
	if es, err := s.Read(t.Context(), 3, 1); err != nil || len(es) != 0 {
		t.Errorf("at the head: %v, %v; want nothing", es, err)
	}
	for _, after := range []nod.Seq{4, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
		_, err := s.Read(t.Context(), after, 1)
		wantCode(t, err, nod.Gone)
	}
}

func large(t *testing.T, s hub.Store) {
	var c Chain
	var es []nod.Event
	for range 6 {
		es = append(es, c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: strings.Repeat("0123456789abcdef", 1<<16)}))
	}
	appendTo(t, s, es)
	same(t, readAll(t, s, 100), es)
}

func anyText(t *testing.T, s hub.Store) {
	var c Chain
	var es []nod.Event
	for _, text := range []string{"", "žluťoučký kůň", "日本語", "\U0001F468\u200d\U0001F469\u200d\U0001F467", "\x00\x1b[31m", "a\u202eb\ufeff", "'); DROP TABLE events; --", "\xff\xfe odd", "<&>\u2028"} {
		es = append(es, c.Next(t, nod.Event{Kind: nod.TurnTaken, AgentID: nod.AgentID(text), RequestID: nod.RequestID(text), Note: text}))
	}
	appendTo(t, s, es)
	same(t, readAll(t, s, 2), es)
}

func notShared(t *testing.T, s hub.Store) {
	var c Chain
	e := c.Next(t, nod.Event{Kind: nod.AgentChanged, Agent: &nod.Agent{ID: "a", Name: "before"}})
	batch := []nod.Event{e}
	appendTo(t, s, batch)
	batch[0].Agent.Name = "after"
	batch[0] = nod.Event{}
	first := readAll(t, s, 1)
	if name := first[0].Agent.Name; name != "before" {
		t.Errorf("the log changed with the caller's event: %q", name)
	}
	first[0].Agent.Name = "after"
	if name := readAll(t, s, 1)[0].Agent.Name; name != "before" {
		t.Errorf("the log changed with a reader's event: %q", name)
	}
}

func cancelled(t *testing.T, s hub.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var c Chain
	es := c.Notes(t, 2)
	if err := s.Append(ctx, 0, es); err == nil {
		t.Error("a cancelled append succeeded")
	}
	if got := readAll(t, s, 10); len(got) != 0 {
		t.Errorf("a cancelled append left %d events", len(got))
	}
	appendTo(t, s, es)
}

func appendTo(t *testing.T, s hub.Store, es []nod.Event) {
	t.Helper()
	if err := s.Append(t.Context(), es[0].Seq-1, es); err != nil {
		t.Fatal(err)
	}
}

// readAll reads to the head in steps; a store may return less than a step.
func readAll(t *testing.T, s hub.Store, step int) (all []nod.Event) {
	t.Helper()
	for after := nod.Seq(0); ; {
		es, err := s.Read(t.Context(), after, step)
		if err != nil {
			t.Fatalf("Read after %d: %v", after, err)
		}
		if len(es) == 0 {
			return all
		}
		if len(es) > step {
			t.Fatalf("Read returned %d events, %d were asked for", len(es), step)
		}
		all = append(all, es...)
		after = es[len(es)-1].Seq
	}
}

func same(t *testing.T, got, want []nod.Event) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := &got[i], &want[i]
		if g.Seq != w.Seq || g.Hash != w.Hash || !bytes.Equal(g.Body(), w.Body()) || g.Kind != w.Kind {
			t.Fatalf("event %d differs:\n%.200s\n%.200s", w.Seq, g.Body(), w.Body())
		}
	}
}

func wantCode(t *testing.T, err error, code nod.Code) {
	t.Helper()
	if err == nil || nod.CodeOf(err) != code {
		t.Errorf("error %v, want %s", err, code)
	}
}
