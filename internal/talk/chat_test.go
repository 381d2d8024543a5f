package talk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// program is a client that keeps its conversation itself.
type program struct {
	*rig
	chats  *talk.Chats
	by     nod.Actor
	before []talk.Line
}

func (r *rig) program(chats *talk.Chats, by nod.Actor) *program {
	return &program{rig: r, chats: chats, by: by}
}

func (r *rig) chats(change func(*talk.ChatOptions)) *talk.Chats {
	o := talk.ChatOptions{Asker: r.asker, Context: 5 * time.Minute}
	if change != nil {
		change(&o)
	}
	return talk.NewChats(o)
}

func (p *program) chat(text string) talk.Chat {
	return talk.Chat{Via: "ollama", By: p.by, Assistant: nod.Assistant{Name: "coder"}, Before: p.before, Text: text}
}

// say asks, and adds the question and the answer to its history.
func (p *program) say(text string) talk.Reply {
	p.Helper()
	var streamed strings.Builder
	reply, err := p.chats.Answer(p.Context(), p.Hub.Desk(p.by), p.chat(text), func(s string) { streamed.WriteString(s) })
	if err != nil {
		p.Fatalf("%s: %v", text, err)
	}
	p.before = append(p.before, talk.Line{Person: true, Text: text})
	if reply.Trouble == "" {
		p.before = append(p.before, talk.Line{Text: streamed.String()})
	}
	return reply
}

func (p *program) same(text string, as talk.Reply) talk.Reply {
	p.Helper()
	reply := p.say(text)
	if reply.Agent.ID != as.Agent.ID {
		p.Errorf("%q went to another conversation", text)
	}
	return reply
}

func (p *program) other(text string, than talk.Reply) talk.Reply {
	p.Helper()
	reply := p.say(text)
	if reply.Agent.ID == than.Agent.ID {
		p.Errorf("%q went on with the old conversation", text)
	}
	return reply
}

func TestMatchingHistoryContinuesTheConversation(t *testing.T) {
	r := build(t, echo)
	chats := r.chats(nil)
	p := r.program(chats, anna)
	first := p.say("one")
	p.same("two", first)

	p.chats = r.chats(nil) // as after a restart: only the log knows
	third := p.same("three", first)
	if third.Agent.Talk.Turns != 3 {
		t.Errorf("%d turns", third.Agent.Talk.Turns)
	}

	fresh := r.program(p.chats, anna)
	second := fresh.other("one", first)
	fresh.same("two", second)
	p.same("four", first)

	edited := r.program(p.chats, anna)
	edited.before = append(edited.before, p.before[:2]...)
	edited.before = append(edited.before, talk.Line{Person: true, Text: "something else"}, talk.Line{Text: "re: something else"})
	branch := edited.other("five", first)
	if hints := branch.Agent.Talk.Hints; !strings.Contains(hints, "The person: one\nYou: re: one\nThe person: something else") {
		t.Errorf("hints: %q", hints)
	}

	bert := anna
	bert.Name, bert.ID = "bert", "t2"
	his := r.program(p.chats, bert)
	his.before = p.before
	his.other("five", first)

	elsewhere := p.chat("five")
	elsewhere.Via = "openai"
	reply, err := p.chats.Answer(t.Context(), r.desk, elsewhere, nil)
	if err != nil || reply.Agent.ID == first.Agent.ID {
		t.Errorf("another door went on with it: %v", err)
	}
}

func TestTrimmedHistoryContinuesTheConversation(t *testing.T) {
	r := build(t, echo)
	p := r.program(r.chats(nil), anna)
	first := p.say("0")
	for i := 1; i < 8; i++ {
		p.before = p.before[max(0, len(p.before)-10):] // five rounds, as programs trim it
		p.same(fmt.Sprint(i), first)
	}
}

func TestNewConversationGetsTheHistory(t *testing.T) {
	r := build(t, echo)
	p := r.program(r.chats(nil), anna)
	first := p.say("one")
	r.driver.End(first.Agent.ID)
	if next := p.other("two", first); !strings.Contains(next.Agent.Talk.Hints, "The person: one") {
		t.Errorf("hints: %q", next.Agent.Talk.Hints)
	}
}

func TestFailedQuestionIsPartOfTheHistory(t *testing.T) {
	r := build(t, func(turn *scripted.Turn) {
		if turn.Message.Text == "fail" {
			turn.Fail(nod.TroubleBusy, "overloaded")
		}
	})
	p := r.program(r.chats(nil), anna)
	failed := p.say("fail")
	if failed.Trouble != nod.TroubleBusy || failed.Text == "" {
		t.Errorf("%+v", failed)
	}
	p.same("again", failed)
	p.chats = r.chats(nil)
	p.same("and again", failed)
}

// A caller that disconnects and repeats the question, as clients do automatically, has
// asked once, and gets the answer from its beginning.
func TestRepeatedQuestionIsAskedOnce(t *testing.T) {
	said := make(chan string)
	asked := 0
	r := build(t, func(turn *scripted.Turn) {
		asked++
		for text := range said {
			turn.Piece(text)
		}
		turn.Reply("Once upon a time.")
	})
	p := r.program(r.chats(nil), anna)
	ctx, hangUp := context.WithCancel(t.Context())
	heard := make(chan string, 1)
	gone := make(chan error)
	go func() {
		_, err := p.chats.Answer(ctx, r.desk, p.chat("tell"), func(s string) { heard <- s })
		gone <- err
	}()
	said <- "Once "
	if got := <-heard; got != "Once " {
		t.Errorf("heard %q", got)
	}
	hangUp()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	var again strings.Builder
	back := make(chan struct{})
	go func() {
		defer close(back)
		reply, err := p.chats.Answer(t.Context(), r.desk, p.chat("tell"), func(s string) { again.WriteString(s) })
		if err != nil || reply.Text != "Once upon a time." {
			t.Errorf("%q, %v", reply.Text, err)
		}
	}()
	said <- "upon "
	close(said)
	<-back
	if again.String() != "Once upon a time." || asked != 1 {
		t.Errorf("heard %q, asked %d times", again.String(), asked)
	}
	if _, err := p.chats.Answer(t.Context(), r.desk, p.chat("tell"), nil); err != nil || asked != 2 {
		t.Errorf("an answer that was heard is no answer to the next question: %v, asked %d times", err, asked)
	}
}

func TestConcurrentEqualQuestionsAreAskedSeparately(t *testing.T) {
	both := make(chan nod.AgentID)
	r := build(t, func(turn *scripted.Turn) { both <- turn.Message.Agent })
	p := r.program(r.chats(nil), anna)
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := p.chats.Answer(t.Context(), r.desk, p.chat("hello"), nil)
			done <- err
		}()
	}
	if one, other := <-both, <-both; one == other {
		t.Error("one conversation for two")
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestUndeliveredAnswerIsKeptForRetryTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		r := build(t, func(turn *scripted.Turn) { asked++; turn.Reply(fmt.Sprint("Answer ", asked)) })
		p := r.program(r.chats(nil), anna)
		ctx, hangUp := context.WithCancel(t.Context())
		hangUp()
		for _, tt := range []struct {
			after time.Duration
			want  string
		}{{time.Minute, "Answer 1"}, {3 * time.Minute, "Answer 3"}} {
			if _, err := p.chats.Answer(ctx, r.desk, p.chat("hello"), nil); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			time.Sleep(tt.after) // of the bubble: no time passes
			if reply, err := p.chats.Answer(t.Context(), r.desk, p.chat("hello"), nil); err != nil || reply.Text != tt.want {
				t.Errorf("after %v: %q, %v", tt.after, reply.Text, err)
			}
		}
	})
}

func TestRateLimitPerClient(t *testing.T) {
	now := time.Unix(1e9, 0)
	r := build(t, echo)
	chats := r.chats(func(o *talk.ChatOptions) { o.Rate = 2; o.Now = func() time.Time { return now } })
	p := r.program(chats, anna)
	p.say("one")
	now = now.Add(20 * time.Second)
	p.say("two")
	_, err := p.chats.Answer(t.Context(), r.desk, p.chat("three"), nil)
	var often *talk.TooOften
	if !errors.As(err, &often) || often.After != 40*time.Second {
		t.Fatalf("%v", err)
	}
	bert := anna
	bert.ID = "t2"
	r.program(chats, bert).say("others may")
	now = now.Add(40 * time.Second)
	p.say("three")
	if _, err := p.chats.Answer(t.Context(), r.desk, p.chat("four"), nil); !errors.As(err, &often) {
		t.Errorf("the minute does not slide: %v", err)
	}
}

func TestFreshQuestionClosesItsConversation(t *testing.T) {
	r := build(t, echo)
	p := r.program(r.chats(nil), anna)
	chat := p.chat("hello")
	chat.Fresh = true
	reply, err := p.chats.Answer(t.Context(), r.desk, chat, nil)
	if err != nil || reply.Text != "re: hello" {
		t.Fatalf("%q, %v", reply.Text, err)
	}
	r.Hub.Look(func(s *nod.State) {
		if s.Agents[reply.Agent.ID].Alive() {
			t.Error("its conversation stays")
		}
	})
}
