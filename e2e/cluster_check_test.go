//go:build full

package e2e

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "nod/internal/client/v1"

	"github.com/anishathalye/porcupine"

	"nod"
)

// operation is a call of a client, for the checker, and result its outcome. A request is
// a write-once register: raising it makes it empty, the first answer fills it, and every
// later read sees the same winner. Raising it, or withdrawing it at its agent's machine,
// takes effect some time after the call.
type operation struct {
	kind string // raise, decide, read, withdraw
	id   nod.RequestID
	by   string
}

type result struct {
	found   bool
	won     bool
	winner  string
	unknown bool // the outcome was not reported
}

const (
	forever = math.MaxInt64
	nobody  = "withdrawn"
)

// winner is how a request was settled, or nothing.
func winner(r *nod.Request) string {
	switch {
	case r.Status == nod.Decided && r.Decision != nil:
		return r.Decision.Message
	case r.Settled():
		return nobody
	}
	return ""
}

var registers = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byID := map[nod.RequestID][]porcupine.Operation{}
		for _, op := range history {
			id := op.Input.(operation).id
			byID[id] = append(byID[id], op)
		}
		var parts [][]porcupine.Operation
		for _, ops := range byID {
			parts = append(parts, ops)
		}
		return parts
	},
	Init: func() any { return "" }, // "" not raised, "-" pending, else the winner
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(string), input.(operation), output.(result)
		switch in.kind {
		case "raise":
			if s == "" {
				s = "-"
			}
			return true, s
		case "withdraw":
			if s == "-" {
				s = nobody
			}
			return true, s
		case "decide":
			if out.unknown {
				if s == "-" {
					s = in.by
				}
				return true, s
			}
			if s == "-" {
				return out.won, in.by
			}
		}
		switch s {
		case "":
			return !out.found, s
		case "-":
			return out.found && !out.won && out.winner == "", s
		}
		return out.found && !out.won && out.winner == s, s
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v → %+v", in, out) },
}

func TestTheCheckerOfTheClusterCanFail(t *testing.T) {
	raise := porcupine.Operation{ClientId: 0, Input: operation{kind: "raise", id: "r"}, Output: result{}, Call: 0, Return: forever}
	for name, rest := range map[string][]porcupine.Operation{
		"two winners": {
			{ClientId: 1, Input: operation{"decide", "r", "a"}, Output: result{found: true, won: true}, Call: 2, Return: 3},
			{ClientId: 2, Input: operation{"decide", "r", "b"}, Output: result{found: true, won: true}, Call: 4, Return: 5},
		},
		"a read that is too old": {
			{ClientId: 1, Input: operation{"decide", "r", "a"}, Output: result{found: true, won: true}, Call: 2, Return: 3},
			{ClientId: 2, Input: operation{kind: "read", id: "r"}, Output: result{found: true}, Call: 4, Return: 5},
		},
		"another winner": {
			{ClientId: 1, Input: operation{"decide", "r", "a"}, Output: result{found: true, won: true}, Call: 2, Return: 3},
			{ClientId: 2, Input: operation{"decide", "r", "b"}, Output: result{found: true, winner: "c"}, Call: 4, Return: 5},
		},
	} {
		if porcupine.CheckOperations(registers, append([]porcupine.Operation{raise}, rest...)) {
			t.Errorf("%s passed the checker", name)
		}
	}
}

// record is a log, folded for the checks.
type record struct {
	head      nod.Seq
	raised    map[nod.RequestID]int
	decided   map[nod.RequestID][]string
	withdrawn map[nod.RequestID]int
	expired   map[nod.RequestID][]time.Time
	overruled map[nod.RequestID]bool
	delivered map[nod.RequestID]int
	granted   map[nod.LeaseID]time.Time // until when
	ended     map[nod.LeaseID][]time.Time
	at        []time.Time // when each event is said to have happened
}

// readLog reads a whole log, event by event, and verifies its chain.
func readLog(t testing.TB, page func(after nod.Seq) ([]v1.LogEntry, error)) *record {
	t.Helper()
	r := &record{
		raised: map[nod.RequestID]int{}, decided: map[nod.RequestID][]string{}, withdrawn: map[nod.RequestID]int{}, expired: map[nod.RequestID][]time.Time{},
		overruled: map[nod.RequestID]bool{}, delivered: map[nod.RequestID]int{}, granted: map[nod.LeaseID]time.Time{}, ended: map[nod.LeaseID][]time.Time{},
	}
	var hash nod.Hash
	for {
		entries, err := page(r.head)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			return r
		}
		for _, entry := range entries {
			e, err := nod.Unseal(entry.Event, entry.Hash)
			if err == nil {
				err = e.Verify(r.head, hash)
			}
			if err != nil {
				t.Fatal(err)
			}
			r.head, hash = e.Seq, e.Hash
			r.take(&e)
		}
	}
}

func (r *record) take(e *nod.Event) {
	r.at = append(r.at, e.At)
	switch e.Kind {
	case nod.RequestRaised:
		r.raised[e.RequestID]++
	case nod.RequestDecided:
		r.decided[e.RequestID] = append(r.decided[e.RequestID], e.Decision.Message)
	case nod.RequestWithdrawn:
		r.withdrawn[e.RequestID]++
	case nod.RequestExpired:
		r.expired[e.RequestID] = append(r.expired[e.RequestID], e.At)
	case nod.RequestReceipt:
		switch e.Receipt.Step {
		case nod.StepOverruled:
			r.overruled[e.RequestID] = true
		case nod.StepDelivered:
			r.delivered[e.RequestID]++
		}
	case nod.LeaseGranted:
		r.granted[e.Lease.ID] = e.Lease.Until
	case nod.LeaseEnded:
		r.ended[e.Lease.ID] = append(r.ended[e.Lease.ID], e.At)
	}
}

// records reads the log of the cluster, and those of the machines.
func (c *crowd) records(t testing.TB) (all *record, there []*record) {
	t.Helper()
	hub := c.at(t, 0)
	all = readLog(t, func(after nod.Seq) ([]v1.LogEntry, error) { return hub.Log(t.Context(), after, 500) })
	for i := range c.links {
		there = append(there, readLog(t, func(after nod.Seq) ([]v1.LogEntry, error) {
			var page struct {
				Entries []v1.LogEntry `json:"entries"`
			}
			q := url.Values{"after": {fmt.Sprint(after)}, "limit": {"500"}}
			err := overSocket(t.Context(), c.links[i].socket(), c.local[i], "GET", "/v1/log?"+q.Encode(), nil, &page)
			return page.Entries, err
		}))
	}
	return all, there
}

// check compares what everyone saw with the logs.
func (c *crowd) check(t testing.TB, all *record, there []*record) {
	t.Helper()
	for _, odd := range c.odd {
		t.Error(odd)
	}
	for id, n := range all.raised {
		settled := len(all.decided[id]) + all.withdrawn[id] + len(all.expired[id])
		if n != 1 || settled != 1 {
			t.Errorf("request %s was raised %d times and settled %d times: decided %q, withdrawn %d", id, n, settled, all.decided[id], all.withdrawn[id])
		}
		if all.delivered[id] > 1 {
			t.Errorf("request %s was delivered %d times", id, all.delivered[id])
		}
	}
	for id, why := range c.won {
		if !slices.Equal(all.decided[id], []string{why}) {
			t.Errorf("request %s: %q was acknowledged, %q is recorded", id, why, all.decided[id])
		}
	}
	for id, why := range c.locals {
		if link := c.hooks[id].link; !slices.Equal(there[link].decided[id], []string{why}) {
			t.Errorf("request %s: %q was acknowledged at laptop%d, %q is recorded there", id, why, link, there[link].decided[id])
		}
	}
	answered := 0
	for id, got := range c.hooks {
		if len(got.lines) > 0 {
			answered++
		}
		own := there[got.link].decided[id]
		if got.near {
			own = all.decided[id]
		}
		if wrong := judgeHook(got.lines, all.decided[id], own, all.overruled[id]); wrong != "" {
			t.Errorf("hook %s at laptop%d got %q: %s; at the hubs %q, there %q, overruled %v", id, got.link, got.lines, wrong, all.decided[id], own, all.overruled[id])
		}
	}
	t.Logf("%d hooks, %d got an answer; %d decisions acknowledged at the hubs, %d at machines; %d events", len(c.hooks), answered, len(c.won), len(c.locals), all.head)
	if answered < len(c.links) || len(c.won) < len(c.links) {
		t.Error("too little happened: the test proves nothing")
	}
}

// judgeHook says what is wrong with a hook's answer, if anything.
func judgeHook(lines, hubs, there []string, overruled bool) string {
	switch {
	case len(lines) > 1:
		return "more than one answer"
	case len(there) > 1:
		return "decided twice on its machine"
	case len(lines) == 0:
		return "" // it abstained
	case len(there) == 0 || !strings.Contains(lines[0], there[0]):
		return "not what its own machine decided"
	case len(hubs) == 1 && hubs[0] != there[0] && !overruled:
		return "the hubs believe in another answer"
	}
	return ""
}

// timers checks that each timer fired once, and not early.
func (r *record) timers(t testing.TB, atLeast int) {
	t.Helper()
	for id, until := range r.granted {
		if ended := r.ended[id]; len(ended) != 1 || ended[0].Before(until) {
			t.Errorf("lease %s until %s ended at %v", id, until, ended)
		}
	}
	for id, at := range r.expired {
		if len(at) != 1 {
			t.Errorf("request %s expired at %v", id, at)
		}
	}
	if len(r.granted) < atLeast || len(r.expired) < atLeast {
		t.Errorf("only %d leases and %d requests ran out: the test proves nothing", len(r.granted), len(r.expired))
	}
}

// within checks that whichever hub wrote an event, it happened in these times.
func (r *record) within(t testing.TB, from, to time.Time) {
	t.Helper()
	for i, at := range r.at {
		if at.Before(from.Add(-time.Second)) || at.After(to.Add(time.Second)) {
			t.Errorf("event %d happened at %s: that is not between %s and %s", i+1, at, from, to)
			return
		}
	}
}

// linearizable checks that the hubs behaved like a single one.
func (c *crowd) linearizable(t testing.TB, all *record) {
	t.Helper()
	var history []porcupine.Operation
	for _, op := range c.history {
		in := op.Input.(operation)
		if in.kind == "read" && slices.ContainsFunc(c.dark, func(d span) bool { return op.Return >= int64(d.from) && op.Call <= int64(d.to) }) {
			continue
		}
		history = append(history, op)
		if in.kind == "raise" && all.withdrawn[in.id] > 0 {
			history = append(history, porcupine.Operation{ClientId: len(c.history) + len(history), Input: operation{kind: "withdraw", id: in.id}, Output: result{}, Call: op.Call, Return: forever})
		}
	}
	result := porcupine.CheckOperationsTimeout(registers, history, 30*time.Second)
	if result == porcupine.Ok {
		t.Logf("%d operations are linearizable", len(history))
		return
	}
	t.Errorf("the history of %d operations is %s", len(history), result)
	for _, part := range registers.Partition(history) {
		if porcupine.CheckOperations(registers, part) {
			continue
		}
		for _, op := range part {
			t.Logf("%8.3f…%8.3f %s", time.Duration(op.Call).Seconds(), time.Duration(op.Return).Seconds(), registers.DescribeOperation(op.Input, op.Output))
		}
	}
}
