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
	"nod/internal/store/mem"
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
	found  bool
	won    bool
	winner string
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
	h := open(t, mem.New())
	start := time.Now()
	var mu sync.Mutex
	var history []porcupine.Operation
	var wg sync.WaitGroup
	for client := range 12 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(client)))
			for n := range 40 {
				in := step{kind: []string{"raise", "decide", "decide", "read"}[rng.IntN(4)], id: fmt.Sprintf("r%02d", rng.IntN(12)), by: fmt.Sprint(client, "/", n)}
				call := time.Since(start)
				out := perform(t, h, in)
				back := time.Since(start)
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: client, Input: in, Output: out, Call: int64(call), Return: int64(back)})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if res := porcupine.CheckOperationsTimeout(writeOnce, history, 30*time.Second); res != porcupine.Ok {
		t.Fatalf("the history of %d operations is %s", len(history), res)
	}
}

func TestTheCheckerCanFail(t *testing.T) {
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
		if _, err := h.Link("test").Ask(t.Context(), request(in.id)); err != nil {
			t.Error(err)
		}
		return seen{}
	case "decide":
		by := anna
		by.Name = in.by
		_, err := h.Desk(by).Decide(t.Context(), nod.RequestID(in.id), nod.Answer{Verdict: nod.Allow})
		switch nod.CodeOf(err) {
		case nod.NotFound:
			return seen{}
		case nod.Conflict:
			return seen{found: true, winner: nod.WinnerOf(err).Decision.By}
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
