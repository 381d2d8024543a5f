package talk_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"nod"
	"nod/internal/present/words"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

func bash(command, risk string, oneTap bool) *nod.Request {
	input, _ := json.Marshal(map[string]string{"command": command})
	return &nod.Request{Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: " + command, Input: input, OneTap: oneTap, Risk: &nod.Risk{Level: risk}}
}

func TestParseAnswer(t *testing.T) {
	door := bash("open-door", "write", true)
	rooms := nod.Question{Text: "Which room?", Choices: []nod.Choice{{Label: "Kitchen"}, {Label: "Garden, behind"}}}
	one := &nod.Request{Kind: nod.KindQuestion, Questions: []nod.Question{rooms}}
	free := rooms
	free.FreeText = true
	own := &nod.Request{Kind: nod.KindQuestion, Questions: []nod.Question{free}}
	two := &nod.Request{Kind: nod.KindQuestion, Questions: []nod.Question{free, {Text: "When?", FreeText: true}}}
	for _, tt := range []struct {
		name  string
		r     *nod.Request
		lang  words.Lang
		said  string
		want  nod.Verdict
		reply string
	}{
		{"yes", door, words.English, " YES! ", nod.VerdictAllow, ""},
		{"tak", door, words.Polish, "Tak.", nod.VerdictAllow, ""},
		{"はい", door, words.Japanese, "はい。", nod.VerdictAllow, ""},
		{"no", door, words.English, "no", nod.VerdictDeny, ""},
		{"half a yes", door, words.Polish, "no", "", ""},
		{"a yes inside", door, words.English, "yes but not now", "", ""},
		{"nothing", door, words.English, "", "", ""},
		{"a name", one, words.English, "kitchen", nod.VerdictAnswer, "Kitchen"},
		{"a name with marks", one, words.English, "garden behind", nod.VerdictAnswer, "Garden, behind"},
		{"a number", one, words.Polish, "drugą", nod.VerdictAnswer, "Garden, behind"},
		{"no such number", one, words.English, "three", "", ""},
		{"other words", one, words.English, "the attic", "", ""},
		{"welcome words", own, words.English, "the attic", nod.VerdictAnswer, "the attic"},
		{"neither of them", one, words.English, "never mind", nod.VerdictDeny, ""},
		{"two questions", two, words.English, "the attic", "", ""},
		{"a form", &nod.Request{Kind: nod.KindElicitation}, words.English, "yes", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, ok := talk.ParseAnswer(tt.r, words.In(tt.lang), tt.said)
			if ok != (tt.want != "") || ok && a.Verdict != tt.want {
				t.Fatalf("%+v, %v", a, ok)
			}
			if tt.reply != "" && a.Answers["Which room?"].Joined() != tt.reply {
				t.Errorf("%+v", a.Answers)
			}
		})
	}
}

func TestOnScreen(t *testing.T) {
	yes, no := nod.Answer{Verdict: nod.VerdictAllow}, nod.Answer{Verdict: nod.VerdictDeny}
	for _, tt := range []struct {
		name string
		r    *nod.Request
		want bool
	}{
		{"something small", bash("open-door", "write", true), false},
		{"something destructive", bash("rm -r photos", "destructive", true), true},
		{"something secret", bash("cat key", "secret", true), true},
		{"what one tap is not enough for", bash("open-door", "write", false), true},
		{"what is too long to hear", bash(strings.Repeat("open-door; ", 20), "write", true), true},
		{"a plan", &nod.Request{Kind: nod.KindPlan, OneTap: true}, true},
		{"a form", &nod.Request{Kind: nod.KindElicitation}, true},
		{"two questions", &nod.Request{Kind: nod.KindQuestion, Questions: make([]nod.Question, 2)}, true},
		{"one question", &nod.Request{Kind: nod.KindQuestion, Questions: make([]nod.Question, 1)}, false},
	} {
		if got := talk.OnScreen(tt.r, yes); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		if talk.OnScreen(tt.r, no) {
			t.Errorf("%s cannot be refused", tt.name)
		}
	}
}

// asking is a script that asks to run a command.
func asking(turn *scripted.Turn) {
	r := bash(turn.Message.Text, "write", true)
	r.ID = nod.RequestID("request-" + turn.Message.ID)
	if settled := turn.Ask(*r); settled != nil && settled.Decision != nil {
		turn.Piece("So it is: ")
		turn.Reply("So it is: " + string(settled.Decision.Verdict))
	}
}

// A phone answers first; a yes afterwards returns the outcome.
func TestLateYesReturnsTheOutcome(t *testing.T) {
	r := build(t, asking)
	p := r.program(r.chats(nil), anna)
	asked := p.say("open-door")
	if asked.Request == nil || asked.Text != "Run open-door? Say yes or no." {
		t.Fatalf("%+v", asked)
	}
	if _, err := r.desk.Decide(t.Context(), asked.Request.ID, nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		t.Fatal(err)
	}
	if late := p.same("yes", asked); late.Text != "So it is: deny" {
		t.Errorf("heard %q", late.Text)
	}
	if next := p.same("close-door", asked); next.Request == nil {
		t.Errorf("%+v", next)
	}
}

// Two callers say yes at once: one of them decides, and both get the rest of the answer.
func TestConcurrentYes(t *testing.T) {
	r := build(t, asking)
	p := r.program(r.chats(nil), anna)
	asked := p.say("open-door")
	first, second := make(chan talk.Reply), make(chan talk.Reply)
	for _, to := range []chan talk.Reply{first, second} {
		go func() {
			chat := p.chat("yes")
			reply, err := p.chats.Answer(context.WithoutCancel(t.Context()), r.desk, chat, nil)
			if err != nil {
				t.Error(err)
			}
			to <- reply
		}()
	}
	for _, from := range []chan talk.Reply{first, second} {
		if got := <-from; got.Text != "So it is: allow" || got.Agent.ID != asked.Agent.ID {
			t.Errorf("%+v", got)
		}
	}
}

// A yes answers the request that was read out, not one that was raised meanwhile.
func TestYesNeverAnswersANewerRequest(t *testing.T) {
	r := build(t, func(turn *scripted.Turn) {
		for _, command := range []string{"open-door", "open-safe"} {
			ask := bash(command, "write", true)
			ask.ID = nod.RequestID(command + "-" + string(turn.Message.ID))
			if settled := turn.Ask(*ask); settled == nil || settled.Decision == nil || settled.Decision.Verdict != nod.VerdictAllow {
				return
			}
		}
		turn.Reply("Both are open.")
	})
	p := r.program(r.chats(nil), anna)
	first := p.say("open them")
	if _, err := r.desk.Decide(t.Context(), first.Request.ID, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	for e, err := range r.desk.Follow(t.Context(), 0) { // the second is asked
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.RequestRaised && e.Request.ID != first.Request.ID {
			break
		}
	}
	second := p.same("yes", first)
	if second.Request == nil || second.Request.Settled() || second.Text != "Run open-safe? Say yes or no." {
		t.Fatalf("%+v", second)
	}
	if r.asker.Pending(first.Agent.ID) == nil {
		t.Fatal("a yes to one question has answered the other")
	}
	if done := p.same("yes", first); done.Text != "Both are open." {
		t.Errorf("%+v", done)
	}
}

// What nod cannot judge is read back, and takes a second yes; one that was misheard
// allows nothing.
func TestUnknownRiskTakesTwoYeses(t *testing.T) {
	r := build(t, func(turn *scripted.Turn) {
		r := bash(turn.Message.Text, "unknown", true)
		r.ID = nod.RequestID("request-" + turn.Message.ID)
		if settled := turn.Ask(*r); settled != nil && settled.Decision != nil {
			turn.Reply("So it is: " + string(settled.Decision.Verdict))
		}
	})
	p := r.program(r.chats(nil), anna)
	asked := p.say("make test")
	first := p.same("yes", asked)
	if first.Request == nil || first.Request.Settled() || !strings.Contains(first.Text, "make test") || !strings.Contains(first.Text, "yes again") {
		t.Fatalf("after one yes: %+v", first)
	}
	if second := p.same("yes", asked); second.Text != "So it is: allow" {
		t.Errorf("after two: %q", second.Text)
	}
	asked = p.same("make install", asked)
	p.same("yes", asked)
	if no := p.same("no", asked); no.Text != "So it is: deny" {
		t.Errorf("yes and then no: %q", no.Text)
	}
}
