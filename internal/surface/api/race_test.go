package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

func TestOfAHundredAnswersOneWins(t *testing.T) {
	g := newRig(t)
	token := g.token(auth.Paired)
	g.ask("0123456789abcdef")
	var mu sync.Mutex
	statuses := map[int]int{}
	winners := map[string]int{}
	var deciders sync.WaitGroup
	for i := range 100 {
		deciders.Go(func() {
			status, message := post(t, g, token, fmt.Sprintf(`{"verdict":"deny","message":"answer %d"}`, i))
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
			winners[message]++
		})
	}
	deciders.Wait()
	if statuses[200] != 1 || statuses[409] != 99 {
		t.Errorf("answers: %v", statuses)
	}
	if len(winners) != 1 {
		t.Errorf("not everyone heard of the same winner: %v", winners)
	}
}

// post decides over a real connection and returns the message of the winner.
func post(t *testing.T, g *rig, token, body string) (int, string) {
	req, err := http.NewRequestWithContext(t.Context(), "POST", g.server.URL()+"/v1/requests/0123456789abcdef/decision", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	var answer struct {
		Message string
		Request nod.Request
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Error(err)
	}
	if answer.Request.Decision != nil {
		return res.StatusCode, answer.Request.Decision.Message
	}
	return res.StatusCode, answer.Message
}

func TestAFollowerMissesNothing(t *testing.T) {
	g := newRig(t)
	c := g.device(nod.RightsOf(nod.View))
	const facts = 1000
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range facts / 4 {
				turn := nod.Turn{Agent: "agent-1", Role: nod.TurnPerson, Text: fmt.Sprint(w, " ", i)}
				if err := g.Link.Report(t.Context(), hub.Said(turn)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	snap, err := c.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const last = nod.Seq(facts + 1) // and the fact that the hub started
	next := snap.Seq + 1
	for e, err := range c.Follow(t.Context(), snap.Seq) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq != next {
			t.Fatalf("event %d came instead of %d", e.Seq, next)
		}
		if next++; e.Seq == last {
			break
		}
	}
	writers.Wait()
}
