package app

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/present/advise"
)

// chooser is a model that answers when release is closed.
type chooser struct{ release chan struct{} }

func (c chooser) Refine(ctx context.Context, _ advise.Moment) ([]string, error) {
	select {
	case <-c.release:
	case <-ctx.Done():
	}
	return []string{"push", "summary"}, ctx.Err()
}

func testAdvice(release chan struct{}, changed func()) *advice {
	return &advice{
		advisor: advise.NewAdvisor(chooser{release}, advise.Limits{PerHour: 9}, time.Now),
		changed: changed, rows: map[nod.AgentID]*adviceRow{},
	}
}

func passed(seq nod.Seq) advise.Situation {
	return advise.Situation{
		Agent: &nod.Agent{ID: "shop", State: nod.AgentIdle, Can: []nod.Ability{nod.CanSay}},
		Last:  &nod.Turn{Role: nod.TurnAgent, Text: "All tests pass.", Seq: seq},
	}
}

func labelsOf(list []advise.Suggestion) string {
	var all []string
	for _, s := range list {
		all = append(all, s.Label)
	}
	return strings.Join(all, " ")
}

func TestAModelImprovesWhatAKeyboardShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, changes := make(chan struct{}), 0
		a := testAdvice(release, func() { changes++ })
		if got := labelsOf(a.all(passed(1))); !strings.HasPrefix(got, "Commit") {
			t.Errorf("at once: %s", got)
		}
		close(release)
		synctest.Wait()
		if got := labelsOf(a.all(passed(1))); got != "Push Summary" || changes != 1 {
			t.Errorf("then %s, and the keys were drawn anew %d times", got, changes)
		}
		if got := labelsOf(a.now(t.Context(), passed(1), 4)); got != "Push Summary" {
			t.Errorf("whoever asks now is told %s", got)
		}
	})
}

func TestNothingChangesAfterAPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		a := testAdvice(release, func() { t.Error("the keys were drawn anew under a finger") })
		before := labelsOf(a.all(passed(1)))
		a.pressed("shop")
		a.pressed("somebody else")
		close(release)
		synctest.Wait()
		if got := labelsOf(a.all(passed(1))); got != before {
			t.Errorf("%s became %s", before, got)
		}
	})
}

// What an agent has left behind is not improved, and nothing of it is kept.
func TestAdviceEndsWithItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		a := testAdvice(release, func() { t.Error("a moment came back") })
		a.all(passed(1))
		working := passed(1)
		working.Agent = &nod.Agent{ID: "shop", State: nod.AgentWorking, Can: working.Agent.Can}
		if got := labelsOf(a.all(working)); got != "STOP" {
			t.Errorf("at work: %s", got)
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if len(a.rows) != 0 {
			t.Errorf("%d rows", len(a.rows))
		}
	})
}
