package talk_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "api", ID: "t1", Rights: nod.RightsOf(nod.View, nod.Answering)}

type rig struct {
	*hubtest.Rig
	desk   hub.Desk
	asker  *talk.Asker
	driver *scripted.Driver
}

func build(t *testing.T, script func(*scripted.Turn)) *rig {
	t.Helper()
	r := &rig{Rig: hubtest.New(t, hubtest.Options{Options: hub.Options{Assistants: []nod.Assistant{
		{Name: "house", Kind: "claude", Language: "pl"}, {Name: "coder", Kind: "claude"},
	}, Policy: reads}})}
	r.desk, r.asker = r.Hub.Desk(anna), talk.New(hub.Deps{Hub: r.Hub}, time.Minute)
	r.driver = scripted.New(t, r.Hub, script)
	return r
}

// reads is a policy that allows reading, and believes what risk a request names.
var reads = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	if r.Tool == "Read" {
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "a rule"}
	}
	return hub.Judgement{Risk: r.Risk}
})

func (r *rig) ask(q talk.Question) talk.Outcome {
	r.Helper()
	if q.Via == "" {
		q.Via = "brain"
	}
	o, err := r.asker.Ask(r.Context(), r.desk, q, nil)
	if err != nil {
		r.Fatal(err)
	}
	return o
}

func echo(turn *scripted.Turn) { turn.Reply("re: " + turn.Message.Text) }

func TestAQuestionIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			if turn.Message.Hint != "short" {
				t.Errorf("the hint is %q", turn.Message.Hint)
			}
			echo(turn)
		})
		o := r.ask(talk.Question{Text: "hello", Hint: "short", Language: "en", Hints: "be kind", Context: time.Minute})
		opened := o.Agent.Talk
		if o.Text != "re: hello" || o.Trouble != "" || o.Late || o.Request != nil || o.Agent.State != nod.AgentIdle {
			t.Errorf("%+v", o)
		}
		if opened.Assistant != "house" || opened.Language != "en" || opened.Hints != "be kind" || opened.Context != 60 || opened.Turns != 1 || !strings.HasPrefix(string(o.Agent.ID), "brain-") {
			t.Errorf("opened as %s %+v", o.Agent.ID, opened)
		}
		again := r.ask(talk.Question{Text: "and?", Hint: "short", Session: o.Agent.ID})
		if again.Agent.ID != o.Agent.ID || again.Agent.Talk.Turns != 2 {
			t.Errorf("a follow-up went to %s", again.Agent.ID)
		}
	})
}

func TestFindConversation(t *testing.T) {
	type q = talk.Question
	for _, c := range []struct {
		name          string
		before, after q
		same          bool
	}{
		{"the same room", q{Room: "kitchen"}, q{Room: "Kitchen"}, true},
		{"another room", q{Room: "kitchen"}, q{Room: "hall"}, false},
		{"the same user", q{User: "anna"}, q{User: "anna"}, true},
		{"another user", q{User: "anna"}, q{User: "ola"}, false},
		{"another user in the same room", q{Room: "hall", User: "anna"}, q{Room: "hall", User: "ola"}, false},
		{"somebody unknown where a user spoke", q{Room: "hall", User: "anna"}, q{Room: "hall"}, false},
		{"a user where the house began", q{Room: "hall"}, q{Room: "hall", User: "anna"}, true},
		{"the same client", q{Client: "token 1"}, q{Client: "token 1"}, true},
		{"another client", q{Client: "token 1"}, q{Client: "token 2"}, false},
		{"a client, and then a room", q{Client: "token 1"}, q{Client: "token 1", Room: "hall"}, false},
		{"nothing known", q{}, q{}, false},
		{"another surface", q{Room: "hall", Via: "brain"}, q{Room: "hall", Via: "ollama"}, false},
		{"another assistant", q{Room: "hall"}, q{Room: "hall", Assistant: "coder"}, false},
		{"the same assistant by its name", q{Room: "hall"}, q{Room: "hall", Assistant: "house"}, true},
		{"a fresh one", q{Room: "hall"}, q{Room: "hall", Fresh: true}, false},
		{"no such session", q{Room: "hall"}, q{Session: "brain-nothing"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := build(t, echo)
				c.before.Text, c.after.Text = "one", "two"
				a, b := r.ask(c.before), r.ask(c.after)
				if (a.Agent.ID == b.Agent.ID) != c.same {
					t.Errorf("%s, then %s", a.Agent.ID, b.Agent.ID)
				}
			})
		})
	}
}

func TestAgentInATerminalIsNotAConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, echo)
		err := r.Hub.Link("test").Report(t.Context(), hub.Agent("terminal-1", func(a *nod.Agent, now time.Time) {
			a.Name, a.Can = "nod", []nod.Ability{nod.CanSay}
			a.Enter(nod.AgentIdle, now)
		}))
		if err != nil {
			t.Fatal(err)
		}
		if o := r.ask(talk.Question{Text: "rm", Session: "terminal-1"}); o.Agent.ID == "terminal-1" {
			t.Error("a question went into somebody's terminal")
		}
	})
}

func TestTimedOutConversationIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, echo)
		q := talk.Question{Text: "one", Room: "hall", Context: time.Minute}
		first := r.ask(q)
		time.Sleep(59 * time.Second)
		if o := r.ask(q); o.Agent.ID != first.Agent.ID {
			t.Error("forgotten too early")
		}
		time.Sleep(time.Minute)
		q.Session = first.Agent.ID
		if o := r.ask(q); o.Agent.ID == first.Agent.ID {
			t.Error("it went on after its time")
		}
		q.Session = ""
		last := r.ask(q)
		r.driver.End(last.Agent.ID)
		q.Session = last.Agent.ID
		if o := r.ask(q); o.Agent.ID == last.Agent.ID {
			t.Error("it went on after its end")
		}
	})
}

func TestConcurrentQuestionsGetTheirOwnAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		playing := 0
		r := build(t, func(turn *scripted.Turn) {
			mu.Lock()
			if playing++; playing > 1 {
				t.Error("two turns at once")
			}
			mu.Unlock()
			turn.Piece("re: ")
			time.Sleep(time.Second)
			mu.Lock()
			playing--
			mu.Unlock()
			turn.Reply("re: " + turn.Message.Text)
		})
		ids := make([]nod.AgentID, 4)
		var all sync.WaitGroup
		for i, text := range []string{"a", "b", "c", "d"} {
			all.Go(func() {
				var heard strings.Builder
				o, err := r.asker.Ask(t.Context(), r.desk, talk.Question{Text: text, Via: "brain", Room: "hall"}, func(p string) { heard.WriteString(p) })
				if err != nil || o.Text != "re: "+text || heard.String() != o.Text {
					t.Errorf("%q: %+v, %q, %v", text, o, heard.String(), err)
					return
				}
				ids[i] = o.Agent.ID
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("opened twice: %v", ids)
			}
		}
	})
}

func TestRequestBelongsToItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan struct{})
		r := build(t, func(turn *scripted.Turn) {
			if turn.Message.Text != "first" {
				echo(turn)
				return
			}
			turn.Hear()
			close(begun)
			time.Sleep(time.Second)
			got := turn.Ask(nod.Request{ID: "request-1", Tool: "Bash", Title: "rm"})
			turn.Reply("it was " + string(got.Decision.Verdict))
		})
		first := make(chan talk.Outcome)
		go func() { first <- r.ask(talk.Question{Text: "first", Room: "hall"}) }()
		<-begun
		second := make(chan talk.Outcome)
		go func() { second <- r.ask(talk.Question{Text: "second", Room: "hall"}) }()
		held := <-first
		if held.Request == nil || held.Request.ID != "request-1" || held.Text != "" {
			t.Fatalf("%+v", held)
		}
		if r.asker.Pending(held.Agent.ID) == nil {
			t.Error("nothing is pending")
		}
		synctest.Wait() // the second neither answers it nor is told of it
		rest, err := r.asker.Decide(t.Context(), r.desk, held.Request, nod.Answer{Verdict: nod.VerdictAllow}, nil)
		if err != nil || rest.Text != "it was allow" || rest.Message != held.Message {
			t.Errorf("the rest: %+v, %v", rest, err)
		}
		if o := <-second; o.Text != "re: second" {
			t.Errorf("the second: %+v", o)
		}
		if _, err := r.asker.Decide(t.Context(), r.desk, held.Request, nod.Answer{Verdict: nod.VerdictDeny}, nil); nod.CodeOf(err) != nod.Conflict {
			t.Errorf("decided twice: %v", err)
		}
	})
}

func TestMessageHeldBackByARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := build(t, func(turn *scripted.Turn) {
			id := nod.RequestID("hold-" + turn.Message.Text)
			got := turn.Hold(nod.Request{ID: id, Tool: "Confirm", Title: turn.Message.Text, OneTap: true})
			if got.Decision.Verdict == nod.VerdictAllow {
				echo(turn)
				return
			}
			turn.Refuse(nod.TroubleRefused, "anna said no")
		})
		o := r.ask(talk.Question{Text: "off", Room: "hall"})
		if o.Request == nil || o.Request.Title != "off" {
			t.Fatalf("%+v", o)
		}
		yes, err := r.asker.Decide(t.Context(), r.desk, o.Request, nod.Answer{Verdict: nod.VerdictAllow}, nil)
		if err != nil || yes.Text != "re: off" {
			t.Errorf("%+v, %v", yes, err)
		}
		o = r.ask(talk.Question{Text: "again", Room: "hall"})
		no, err := r.asker.Decide(t.Context(), r.desk, o.Request, nod.Answer{Verdict: nod.VerdictDeny}, nil)
		if err != nil || no.Trouble != nod.TroubleRefused || no.Problem != "anna said no" {
			t.Errorf("%+v, %v", no, err)
		}
	})
}
