package talk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

func TestRequestAnsweredByARuleIsNotAnOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			turn.Ask(nod.Request{ID: "request-1", Tool: "Read", Title: "notes"})
			turn.Reply("read it")
		})
		if o := r.ask(talk.Question{Text: "read"}); o.Request != nil || o.Text != "read it" {
			t.Errorf("%+v", o)
		}
	})
}

func TestErrorsAreOutcomes(t *testing.T) {
	until := time.Date(2000, 1, 1, 5, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		script  func(*scripted.Turn)
		trouble nod.Trouble
		problem string
	}{
		"in the middle":     {func(turn *scripted.Turn) { turn.Fail(nod.TroubleCrash, "its program ended") }, nod.TroubleCrash, "its program ended"},
		"before it began":   {func(turn *scripted.Turn) { turn.Refuse(nod.TroubleLogin, "not signed in") }, nod.TroubleLogin, "not signed in"},
		"without a word":    {func(turn *scripted.Turn) { turn.Refuse("", "who knows") }, nod.TroubleError, "who knows"},
		"at the limit":      {func(turn *scripted.Turn) { turn.Limit(until, "until five") }, nod.TroubleLimit, "until five"},
		"and ended besides": {func(turn *scripted.Turn) { turn.Hear(); <-turn.Context().Done() }, nod.TroubleStopped, "its time of silence is over"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := build(t, c.script)
				if c.trouble == nod.TroubleStopped {
					go func() {
						synctest.Wait()
						r.driver.End(r.asker.Find(talk.Question{Via: "brain", Room: "hall"}).ID)
					}()
				}
				o := r.ask(talk.Question{Text: "hello", Room: "hall"})
				if o.Trouble != c.trouble || o.Problem != c.problem || o.Text != "" || o.Late {
					t.Errorf("%+v", o)
				}
			})
		})
	}
}

func TestLateAnswerCanBeAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			turn.Piece("One. ")
			time.Sleep(90 * time.Second)
			turn.Piece("Two.")
			turn.Reply("One. Two.")
		})
		var heard []string
		hear := func(p string) { heard = append(heard, p) }
		o, err := r.asker.Ask(t.Context(), r.desk, talk.Question{Text: "hello", Via: "brain"}, hear)
		if err != nil || !o.Late || o.Text != "" {
			t.Fatalf("%+v, %v", o, err)
		}
		again, err := r.asker.Wait(t.Context(), r.desk, o.Agent.ID, o.Message, hear)
		if err != nil || again.Late || again.Text != "One. Two." {
			t.Errorf("%+v, %v", again, err)
		}
		if !slices.Equal(heard, []string{"One. ", "Two."}) {
			t.Errorf("heard %q", heard)
		}
		later, err := r.asker.Wait(t.Context(), r.desk, o.Agent.ID, o.Message, nil)
		if err != nil || later.Text != "One. Two." {
			t.Errorf("long after: %+v, %v", later, err)
		}
		if _, err := r.asker.Wait(t.Context(), r.desk, o.Agent.ID, "never-said", nil); nod.CodeOf(err) != nod.NotFound {
			t.Errorf("what nobody said: %v", err)
		}
	})
}

func TestTurnContinuesAfterCallerDisconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			turn.Hear()
			time.Sleep(time.Second)
			echo(turn)
		})
		ctx, hangUp := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, hangUp)
		o, err := r.asker.Ask(ctx, r.desk, talk.Question{Text: "hello", Via: "brain"}, nil)
		if !errors.Is(err, context.Canceled) || !o.Late {
			t.Fatalf("%+v, %v", o, err)
		}
		if o, err := r.asker.Wait(t.Context(), r.desk, o.Agent.ID, o.Message, nil); err != nil || o.Text != "re: hello" {
			t.Errorf("%+v, %v", o, err)
		}
		short, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer stop()
		if o, err := r.asker.Ask(short, r.desk, talk.Question{Text: "hello", Via: "brain"}, nil); err != nil || !o.Late {
			t.Errorf("a deadline of the caller's own: %+v, %v", o, err)
		}
	})
}

func TestPiecesArriveOnceAndInOrder(t *testing.T) {
	for _, discard := range []bool{false, true} { // the driver may discard its draft after a request
		piecesComeOnce(t, discard)
	}
}

func piecesComeOnce(t *testing.T, discard bool) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			for _, p := range []string{"Let me ", "look. "} {
				turn.Piece(p)
				synctest.Wait()
			}
			turn.Tool("Bash", "date")
			turn.Ask(nod.Request{ID: "request-1", Tool: "Bash", Title: "date"})
			if discard {
				turn.DiscardDraft()
			}
			turn.Piece("It is ")
			synctest.Wait()
			turn.Reply("It is noon.") // the last of it was never drafted
		})
		var heard []string
		hear := func(p string) { heard = append(heard, p) }
		o, err := r.asker.Ask(t.Context(), r.desk, talk.Question{Text: "the time?", Via: "brain"}, hear)
		if err != nil || o.Request == nil {
			t.Fatalf("%+v, %v", o, err)
		}
		if _, err := r.asker.Decide(t.Context(), r.desk, o.Request, nod.Answer{Verdict: nod.VerdictAllow}, hear); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(heard, "|"); got != "Let me |look. |It is |noon." {
			t.Errorf("heard %q", got)
		}
	})
}

func TestTwoRequestsOfOneTurnAreReturnedOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			turn.Hear()
			both := make(chan *nod.Request)
			for _, id := range []nod.RequestID{"request-1", "request-2"} {
				go func() { both <- turn.Ask(nod.Request{ID: id, Tool: "Bash", Title: string(id)}) }()
			}
			<-both
			<-both
			turn.Reply("both done")
		})
		o := r.ask(talk.Question{Text: "do both"})
		synctest.Wait()
		for range 2 {
			if o.Request == nil {
				t.Fatalf("%+v", o)
			}
			var err error
			if o, err = r.asker.Decide(t.Context(), r.desk, o.Request, nod.Answer{Verdict: nod.VerdictAllow}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if o.Text != "both done" {
			t.Errorf("%+v", o)
		}
	})
}

func TestRejectedQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, echo)
		before, _ := r.Hub.Head()
		for name, c := range map[string]struct {
			rights nod.Rights
			q      talk.Question
			code   nod.Code
		}{
			"somebody who only looks":        {nod.RightsOf(nod.View), talk.Question{Text: "hi"}, nod.Forbidden},
			"somebody who may not hear":      {nod.RightsOf(nod.Answering), talk.Question{Text: "hi"}, nod.Forbidden},
			"too many words":                 {anna.Rights, talk.Question{Text: strings.Repeat("a", 100_001)}, nod.TooLarge},
			"no words":                       {anna.Rights, talk.Question{Text: " "}, nod.Invalid},
			"an assistant that is not there": {anna.Rights, talk.Question{Text: "hi", Assistant: "butler"}, nod.NotFound},
		} {
			who := anna
			who.Rights = c.rights
			if _, err := r.asker.Ask(t.Context(), r.Hub.Desk(who), c.q, nil); nod.CodeOf(err) != c.code {
				t.Errorf("%s: %v", name, err)
			}
		}
		r.Hub.Look(func(s *nod.State) {
			if len(s.Agents) != 0 {
				t.Error("something was opened for nothing")
			}
		})
		if after, _ := r.Hub.Head(); after != before+1 { // the one who tried to answer is recorded
			t.Errorf("%d facts", after-before)
		}
	})
}

func TestHubShutdownWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			turn.Hear()
			<-turn.Context().Done()
		})
		go func() {
			synctest.Wait()
			_ = r.Hub.Close(context.Background())
		}()
		if o, err := r.asker.Ask(t.Context(), r.desk, talk.Question{Text: "hi", Via: "brain"}, nil); nod.CodeOf(err) != nod.Unavailable {
			t.Errorf("%+v, %v", o, err)
		}
	})
}
