package hub_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
)

// What clients did and saw, for the checker. A request is a register that can
// be written once: raise makes it empty, the first decide fills it, everyone
// after that sees the same winner.
type step struct {
	kind string // raise, decide, read
	id   string
	by   string
}

type seen struct {
	found   bool
	won     bool
	winner  string
	unknown bool // it may or may not have happened
}

var writeOnce = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byID := map[string][]porcupine.Operation{}
		for _, op := range history {
			id := op.Input.(step).id
			byID[id] = append(byID[id], op)
		}
		var parts [][]porcupine.Operation
		for _, ops := range byID {
			parts = append(parts, ops)
		}
		return parts
	},
	Init: func() any { return "" }, // "" unknown, "-" pending, else the winner
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(string), input.(step), output.(seen)
		switch in.kind {
		case "raise":
			if s == "" {
				s = "-"
			}
			return true, s
		case "decide":
			if out.unknown { // if it never happened, the checker may put it after everything else
				if s == "-" {
					s = in.by
				}
				return true, s
			}
			switch s {
			case "":
				return !out.found, s
			case "-":
				return out.won, in.by
			default:
				return !out.won && out.winner == s, s
			}
		}
		switch s {
		case "":
			return !out.found, s
		case "-":
			return out.found && out.winner == "", s
		default:
			return out.found && out.winner == s, s
		}
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v → %+v", in, out) },
}

func TestDecideIsLinearizable(t *testing.T) {
	linearizable(t, everything, nil, open(t, mem.New()))
}

// Three hubs on one log, each with a connection to it on which answers are lost, appends
// fail and wake-ups do not come: they still are as one.
func TestThreeHubsAreLinearizable(t *testing.T) {
	s := hubtest.NewShared()
	conns := make([]hub.Store, 3)
	for i := range conns {
		var mu sync.Mutex
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		conns[i] = &conn{Shared: s, deaf: i == 2, fault: func(n int) fault {
			mu.Lock()
			defer mu.Unlock()
			if n < 5 { // the start
				return none
			}
			return []fault{none, none, none, none, none, none, lostAck, refused}[rng.IntN(8)]
		}}
	}
	hubs := hubtest.Several(t, hub.Options{}, conns...)
	linearizable(t, everything, nil, hubs...)
	for id, n := range decisions(t, s) {
		if n != 1 {
			t.Errorf("request %s was decided %d times", id, n)
		}
	}
	sound(t, s)
}

func decisions(t *testing.T, s *hubtest.Shared) map[nod.RequestID]int {
	t.Helper()
	found, err := s.Find(t.Context(), hub.Query{Kinds: []nod.EventKind{nod.RequestDecided}}, 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	count := map[nod.RequestID]int{}
	for _, e := range found {
		count[e.RequestID]++
	}
	return count
}

var everything = []string{"raise", "decide", "decide", "read"}

// linearizable lets clients loose, each at another hub every time. What they did
// is counted in done, if there is one.
func linearizable(t *testing.T, kinds []string, done chan<- struct{}, hubs ...*hub.Hub) {
	start := time.Now()
	var mu sync.Mutex
	var history []porcupine.Operation
	var wg sync.WaitGroup
	for client := range 12 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(client)))
			for n := range 40 {
				in := step{kind: kinds[rng.IntN(len(kinds))], id: fmt.Sprintf("r%02d", rng.IntN(6)+n/10*6), by: fmt.Sprint(client, "/", n)}
				call := time.Since(start)
				out := perform(t, hubs[rng.IntN(len(hubs))], in)
				back := time.Since(start)
				if out.unknown {
					back = time.Hour // it may still happen
				}
				mu.Lock()
				// An operation that never ends is its client's last: the checker wants a new one then.
				history = append(history, porcupine.Operation{ClientId: client*1000 + n, Input: in, Output: out, Call: int64(call), Return: int64(back)})
				mu.Unlock()
				if done != nil {
					done <- struct{}{}
				}
			}
		})
	}
	wg.Wait()
	if res := porcupine.CheckOperationsTimeout(writeOnce, history, 30*time.Second); res != porcupine.Ok {
		t.Fatalf("the history of %d operations is %s", len(history), res)
	}
}

func TestCheckerCanFail(t *testing.T) {
	twice := []porcupine.Operation{
		{ClientId: 0, Input: step{"raise", "r", ""}, Output: seen{}, Call: 0, Return: 1},
		{ClientId: 0, Input: step{"decide", "r", "a"}, Output: seen{found: true, won: true}, Call: 2, Return: 3},
		{ClientId: 1, Input: step{"decide", "r", "b"}, Output: seen{found: true, won: true}, Call: 4, Return: 5},
	}
	if porcupine.CheckOperations(writeOnce, twice) {
		t.Fatal("two winners passed the checker")
	}
}

func perform(t *testing.T, h *hub.Hub, in step) seen {
	switch in.kind {
	case "raise":
		_, err := h.Link("test").Ask(t.Context(), request(in.id))
		if err != nil && nod.CodeOf(err) != nod.Unavailable {
			t.Error(err)
		}
		return seen{unknown: err != nil}
	case "decide":
		by := anna
		by.Name = in.by
		_, err := h.Desk(by).Decide(t.Context(), nod.RequestID(in.id), nod.Answer{Verdict: nod.VerdictAllow})
		switch nod.CodeOf(err) {
		case nod.NotFound:
			return seen{}
		case nod.Conflict:
			return seen{found: true, winner: nod.WinnerOf(err).Decision.By}
		case nod.Unavailable:
			return seen{unknown: true}
		}
		if err != nil {
			t.Error(err)
		}
		return seen{found: true, won: true}
	}
	r, err := h.Desk(anna).Request(t.Context(), nod.RequestID(in.id))
	if err != nil {
		return seen{}
	}
	if r.Decision != nil {
		return seen{found: true, winner: r.Decision.By}
	}
	return seen{found: true}
}
