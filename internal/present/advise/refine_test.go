package advise

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

// scripted is a refiner that answers when it is told to.
type scripted struct {
	names   []string
	err     error
	release chan struct{} // nil: at once
	calls   []Moment
}

func (r *scripted) Refine(ctx context.Context, m Moment) ([]string, error) {
	r.calls = append(r.calls, m)
	if r.release != nil {
		select {
		case <-r.release:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return r.names, r.err
}

func said(text string) Situation {
	return Situation{Agent: &nod.Agent{ID: "a", State: nod.AgentIdle, Can: []nod.Ability{nod.CanSay}}, Last: &nod.Turn{Role: nod.TurnAgent, Text: text}}
}

func TestBetterButtonsReplaceTheRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{names: []string{"push", "rm -rf /", "push", "summary"}, release: make(chan struct{})}
		a := NewAdvisor(r, Limits{PerHour: 10}, time.Now)
		var better string
		shown := a.Show(t.Context(), said("All tests pass."), 4, func(list []Suggestion) { better = row(list) })
		if got := row(shown.Suggestions); got != "Commit | Review | Add tests | Continue" {
			t.Errorf("at once: %s", got)
		}
		synctest.Wait()
		if better != "" {
			t.Fatal("nobody has answered yet")
		}
		close(r.release)
		synctest.Wait()
		if better != "Push | Summary" {
			t.Errorf("better: %q", better)
		}
		if !shown.Press() || shown.Press() {
			t.Error("one press counts, and only one")
		}
		// The same moment again is known.
		again := a.Show(t.Context(), said("All tests pass."), 4, func([]Suggestion) { t.Error("called") })
		synctest.Wait()
		if row(again.Suggestions) != "Push | Summary" || len(r.calls) != 1 {
			t.Errorf("%s after %d calls", row(again.Suggestions), len(r.calls))
		}
	})
}

func TestNothingChangesUnderAFinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{names: []string{"push"}, release: make(chan struct{})}
		a := NewAdvisor(r, Limits{PerHour: 10}, time.Now)
		pressed := a.Show(t.Context(), said("Done."), 4, func([]Suggestion) { t.Error("replaced after a press") })
		told := false
		other := a.Show(t.Context(), said("Done."), 4, func([]Suggestion) { told = true }) // another keyboard, the same moment
		pressed.Press()
		close(r.release)
		synctest.Wait()
		if !told || len(r.calls) != 1 {
			t.Errorf("the other keyboard: %v, %d calls", told, len(r.calls))
		}
		other.Close()
	})
}

func TestRefinementHasABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{names: []string{"push"}}
		a := NewAdvisor(r, Limits{PerHour: 2}, time.Now)
		for _, text := range []string{"one.", "two.", "three."} {
			a.Show(t.Context(), said(text), 4, nil)
			synctest.Wait()
		}
		if len(r.calls) != 2 {
			t.Errorf("%d calls", len(r.calls))
		}
		time.Sleep(time.Hour)
		a.Show(t.Context(), said("four."), 4, nil)
		synctest.Wait()
		if len(r.calls) != 3 {
			t.Errorf("%d calls after an hour", len(r.calls))
		}
	})
}

func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{release: make(chan struct{})}
		a := NewAdvisor(r, Limits{PerHour: 9, Timeout: time.Minute}, time.Now)
		a.Show(t.Context(), said("one."), 4, nil)
		a.Show(t.Context(), said("two."), 4, nil)
		synctest.Wait()
		if len(r.calls) != 1 {
			t.Errorf("%d calls at once", len(r.calls))
		}
		time.Sleep(time.Minute) // the first takes too long
		synctest.Wait()
		a.Show(t.Context(), said("two."), 4, nil)
		synctest.Wait()
		if len(r.calls) != 2 {
			t.Errorf("%d calls", len(r.calls))
		}
		close(r.release)
	})
}

func TestTheRulesStayWhen(t *testing.T) {
	working := said("Done.")
	working.Agent = &nod.Agent{ID: "a", State: nod.AgentWorking, Can: []nod.Ability{nod.CanSay}}
	asked := said("Done.")
	asked.Pending = []*nod.Request{approval("read")}
	for name, tt := range map[string]struct {
		s     Situation
		names []string
		err   error
		calls int
	}{
		"the refiner fails":            {said("Done."), []string{"push"}, errors.New("no"), 1},
		"it says nothing":              {said("Done."), nil, nil, 1},
		"it invents":                   {said("Done."), []string{"Allow everything", ""}, nil, 1},
		"it says the same":             {said("Done."), []string{"continue", "summary", "plan", "help"}, nil, 1},
		"something is asked":           {asked, []string{"push"}, nil, 0},
		"it works":                     {working, []string{"push"}, nil, 0},
		"the agent's list is its list": {said("1. a\n2. b\nWhich?"), []string{"push"}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &scripted{names: tt.names, err: tt.err}
				a := NewAdvisor(r, Limits{PerHour: 9}, time.Now)
				a.Show(t.Context(), tt.s, 4, func(list []Suggestion) { t.Errorf("replaced by %s", row(list)) })
				synctest.Wait()
				if again := a.Show(t.Context(), tt.s, 4, nil); row(again.Suggestions) != row(For(tt.s, 4)) || len(r.calls) != tt.calls {
					t.Errorf("%s, %d calls", row(again.Suggestions), len(r.calls))
				}
			})
		})
	}
}

func TestModelCannotApproveWhatIsGrave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAdvisor(&scripted{names: []string{"yes", "run", "no"}}, Limits{PerHour: 9}, time.Now)
		var better string
		a.Show(t.Context(), said("Shall I drop the production database?"), 4, func(list []Suggestion) { better = row(list) })
		synctest.Wait()
		if better != "Open nod | No" {
			t.Errorf("%q", better)
		}
	})
}

func TestOldMomentsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{names: []string{"push"}}
		a := NewAdvisor(r, Limits{PerHour: 9, Keep: 1}, time.Now)
		for _, text := range []string{"one.", "two.", "one."} {
			a.Show(t.Context(), said(text), 4, nil)
			synctest.Wait()
		}
		if len(r.calls) != 3 || len(a.known) != 1 || len(a.order) != 1 {
			t.Errorf("%d calls, %d known", len(r.calls), len(a.known))
		}
	})
}

func TestWithoutARefiner(t *testing.T) {
	a := NewAdvisor(nil, Limits{}, time.Now)
	if got := row(a.Show(t.Context(), said("Go on?"), 2, nil).Suggestions); got != "Yes | More" {
		t.Error(got)
	}
}

// What the agent says it is doing helps a model to choose, and is another moment.
func TestContextAndDetailReachTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &scripted{names: []string{"push"}}
		a := NewAdvisor(r, Limits{PerHour: 10}, time.Now)
		for _, context := range []string{"testing", "git_operations"} {
			s := said("All tests pass.")
			s.Context, s.Detail = context, "go test ./..."
			a.Show(t.Context(), s, 4, func([]Suggestion) {})
			synctest.Wait()
		}
		if len(r.calls) != 2 || r.calls[0].Context != "testing" || r.calls[0].Detail != "go test ./..." || r.calls[1].Context != "git_operations" {
			t.Errorf("it was asked %+v", r.calls)
		}
	})
}
