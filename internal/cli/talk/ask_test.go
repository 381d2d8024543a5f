package talk

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
	"nod/internal/talk/scripted"
)

// echo answers with what it heard.
func echo(t *scripted.Turn) { t.Reply("You said: " + t.Message.Text) }

func TestAskPrintsTheAnswerAloneInAPipe(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) {
		x.Piece("Let me")
		x.Tool("Bash", "ls")
		x.Reply("Let me see.\n\nIt is on.\x1b[31m")
	}, "jarvis")
	got := h.nod(user{}, "ask", "is", "it", "on?")
	if got.Exit != 0 || got.Out != "Let me see.\n\nIt is on.⟨ESC⟩[31m\n" || got.Err != "" {
		t.Errorf("%+v", got)
	}
}

func TestAskStreamsOnATerminal(t *testing.T) {
	var h *testHub
	out := make(chan string)
	h = newTestHub(t, func(x *scripted.Turn) {
		x.Piece("It ")
		x.Piece("is ")
		<-out
		x.Tool("Bash", "cat /sys/light")
		x.Reply("It is on.")
	}, "jarvis")
	var stdout, stderr syncBuffer
	watched := writerFunc(func(p []byte) (int, error) {
		n, err := stdout.Write(p)
		if stdout.String() == "It is " {
			out <- "seen" // before the answer is finished
		}
		return n, err
	})
	if exit := run(t.Context(), h.env(user{columns: 60, person: true}, watched, &stderr), []string{"ask", "is it on?"}); exit != 0 {
		t.Errorf("exit %d: %s", exit, stderr.String())
	}
	if got := stdout.String(); got != "It is \non.\n" && got != "It is on.\n" { // the step may be told in between
		t.Errorf("stdout %q", got)
	}
	if !strings.Contains(stderr.String(), "  · Bash: cat /sys/light\n") {
		t.Errorf("stderr %q", stderr.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestAskReadsItsQuestionFromAPipe(t *testing.T) {
	h := newTestHub(t, echo, "jarvis")
	for _, tt := range []struct{ args, types, want string }{
		{"ask -", "hello\nworld\n", "You said: hello\nworld\n"},
		{"ask", "hello\n", "You said: hello\n"},
		{"ask review -", "+1\n", "You said: review\n\n+1\n"},
		{"ask typed words", "ignored", "You said: typed words\n"},
	} {
		if got := h.nod(user{input: tt.types}, strings.Fields(tt.args)...); got.Out != tt.want || got.Exit != 0 {
			t.Errorf("%s: %+v, want %q", tt.args, got, tt.want)
		}
	}
	clitest.Check(t, h.nod(user{}, "ask"), 2, "", "There is no question")
	clitest.Check(t, h.nod(user{person: true}, "ask"), 2, "", "There is no question")
	clitest.Check(t, h.nod(user{}, "ask", "x", "--session", "c-1", "--continue"), 2, "", "Choose one of")
}

func TestAskGoesOn(t *testing.T) {
	h := newTestHub(t, echo, "jarvis", "coder")
	clitest.Check(t, h.nod(user{}, "ask", "--continue", "more"), 4, "", "no conversation to go on with")
	clitest.Check(t, h.nod(user{}, "ask", "one"), 0, "You said: one", "")
	first := h.conversations()[0]
	clitest.Check(t, h.nod(user{}, "ask", "--assistant", "coder", "two"), 0, "You said: two", "")
	if list := h.conversations(); len(list) != 2 {
		t.Fatalf("%d conversations", len(list))
	}
	clitest.Check(t, h.nod(user{}, "ask", "--session", string(first.ID[:6]), "three"), 0, "You said: three", "")
	clitest.Check(t, h.nod(user{}, "ask", "--continue", "--assistant", "coder", "four"), 0, "You said: four", "")
	clitest.Check(t, h.nod(user{}, "ask", "--continue", "five"), 0, "You said: five", "") // with coder: it spoke last
	turns := map[string]int{}
	for _, a := range h.conversations() {
		turns[a.Talk.Assistant] = a.Talk.Turns
	}
	if turns["jarvis"] != 2 || turns["coder"] != 3 {
		t.Errorf("turns %v", turns)
	}
	if err := h.desk().Leave(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	clitest.Check(t, h.nod(user{}, "ask", "--session", string(first.ID), "six"), 4, "", "That conversation is over")
	clitest.Check(t, h.nod(user{}, "ask", "--session", "c-nobody", "six"), 4, "", "There is no agent")
	clitest.Check(t, h.nod(user{}, "ask", "--assistant", "hal", "six"), 4, "", `no assistant "hal". There is: jarvis, coder.`)
}

// --continue at a terminal does not continue the conversation of a smart speaker.
func TestContinueLeavesSpeakersAlone(t *testing.T) {
	h := newTestHub(t, echo, "jarvis")
	for _, o := range []nod.Opening{{ID: "c-kitchen", Room: "kitchen"}, {ID: "c-spoken1", Context: time.Minute}} {
		if _, err := h.desk().Open(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Check(t, h.nod(user{}, "ask", "--continue", "more"), 4, "", "no conversation to go on with")
}

func TestAskTellsHowThereCouldBeAnAssistant(t *testing.T) {
	h := newTestHub(t, nil)
	for lang, want := range map[string]string{"en": "no assistant yet", "pl": "nie ma jeszcze asystenta", "ja": "まだアシスタントがいない"} {
		got := h.nod(user{lang: lang}, "ask", "hello")
		clitest.Check(t, got, 1, "", want)
		if !strings.Contains(got.Err, "[[assistant]]\n  name = ") {
			t.Errorf("it does not say how: %s", got.Err)
		}
	}
}

func TestAskAsJSON(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) {
		if x.Message.Text == "fail" {
			x.Fail(nod.TroubleBusy, "API Error 529")
			return
		}
		x.Piece("It is ")
		x.Reply("It is on.")
	}, "jarvis")
	for _, tt := range []struct {
		text string
		exit int
		want Asked
	}{
		{"light?", 0, Asked{Assistant: "jarvis", Text: "It is on."}},
		{"fail", 1, Asked{Assistant: "jarvis", Trouble: nod.TroubleBusy, Problem: "API Error 529"}},
	} {
		got := h.nod(user{columns: 60}, "ask", "--json", tt.text)
		var told Asked
		if err := json.Unmarshal([]byte(got.Out), &told); err != nil || got.Exit != tt.exit {
			t.Fatalf("%v: %+v", err, got)
		}
		if told.Session == "" || told.Message == "" {
			t.Errorf("%+v", told)
		}
		told.Session, told.Message = "", ""
		if told != tt.want {
			t.Errorf("%+v, want %+v", told, tt.want)
		}
		for _, key := range []string{"session", "assistant", "message", "text", "trouble", "problem"} {
			if !strings.Contains(got.Out, `"`+key+`"`) {
				t.Errorf("%q is missing: %s", key, got.Out)
			}
		}
	}
}

func TestEveryTroubleIsASentence(t *testing.T) {
	troubles := []nod.Trouble{nod.TroubleLogin, nod.TroubleProgram, nod.TroubleLimit, nod.TroubleBusy, nod.TroubleCrash, nod.TroubleRestart, nod.TroubleTimeout, nod.TroubleStopped, nod.TroubleRefused, nod.TroubleError}
	h := newTestHub(t, func(x *scripted.Turn) {
		if kind := nod.Trouble(x.Message.Text); kind == nod.TroubleRefused {
			x.Refuse(kind, "a rule says no\x1b[2J")
		} else {
			x.Piece("I will")
			x.Fail(kind, "what the program said\x1b[2J")
		}
	}, "jarvis")
	seen := map[string]bool{}
	for _, lang := range []string{"en", "pl", "ja"} {
		for _, kind := range troubles {
			got := h.nod(user{columns: 60, lang: lang}, "ask", string(kind))
			clitest.Check(t, got, 1, "", "jarvis")
			first, _, _ := strings.Cut(got.Err, "\n")
			if seen[first] || strings.ContainsRune(got.Err, 0x1b) {
				t.Errorf("%s in %s: %q", kind, lang, got.Err)
			}
			seen[first] = true
		}
	}
}

// approvalRequest is a request in the middle of a turn.
func approvalRequest(level string) nod.Request {
	return nod.Request{ID: nod.RequestID("ask-" + level + "-00"), Tool: "Bash", Title: "rm -rf build", Display: "rm -rf build", Risk: &nod.Risk{Level: level, Reason: "deletes files"}}
}

func outcomeOf(r *nod.Request) string {
	if r == nil {
		return "nothing"
	}
	if r.Decision == nil {
		return string(r.Status)
	}
	return strings.TrimSpace(string(r.Decision.Verdict) + " " + r.Decision.Message)
}

func TestARequestIsAskedRightThere(t *testing.T) {
	question := nod.Request{ID: "question-1", Kind: nod.KindQuestion, Title: "Which?", Questions: []nod.Question{
		{Text: "Which room?", Choices: []nod.Choice{{Label: "kitchen"}, {Label: "hall"}}}, {Text: "How bright?", FreeText: true},
	}}
	for _, tt := range []struct {
		name, types string
		request     nod.Request
		want, says  string
	}{
		{"allow", "a\n", approvalRequest("read"), "allow", "Allowed `rm -rf build` for jarvis."},
		{"the word, in Polish too", "pozwól\n", approvalRequest("read"), "allow", "rm -rf build"},
		{"a slip is not enough", "a\ny\n\nallow\n", approvalRequest("destructive"), "allow", "type the word allow"},
		{"deny", "d\n", approvalRequest("secret"), "deny", "Denied"},
		{"deny and why", "d use the trash\n", approvalRequest("read"), "deny use the trash", "Denied"},
		{"a question", "2\nvery\n", question, "answer", "hall; very"},
		{"a wrong answer, then a right one", "\n\n1\ndim\n", question, "answer", "none of the answers"},
		{"a question refused", "/deny not now\n", question, "deny not now", "Denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newTestHub(t, func(x *scripted.Turn) { x.Reply("It was " + outcomeOf(x.Ask(tt.request)) + ".") }, "jarvis")
			lang := "en"
			if strings.Contains(tt.types, "pozwól") {
				lang = "pl"
			}
			got := h.nod(user{columns: 60, person: true, input: tt.types, lang: lang}, "ask", "clean up")
			clitest.Check(t, got, 0, "It was "+tt.want+".", tt.says)
		})
	}
}

func TestARequestInAPipeSaysWhoCanAnswer(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) { x.Reply("It was " + outcomeOf(x.Ask(approvalRequest("read"))) + ".") }, "jarvis")
	var stdout, stderr syncBuffer
	said := make(chan struct{}, 10)
	watched := writerFunc(func(p []byte) (int, error) { defer func() { said <- struct{}{} }(); return stderr.Write(p) })
	go func() {
		<-said
		if _, err := h.desk().Decide(t.Context(), "ask-read-00", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
			t.Error(err)
		}
	}()
	if exit := run(t.Context(), h.env(user{}, &stdout, watched), []string{"ask", "clean up"}); exit != 0 || stdout.String() != "It was allow.\n" {
		t.Errorf("%d %q", exit, stdout.String())
	}
	if want := "jarvis waits for an answer: rm -rf build\n`nod allow ask-read` or `nod deny ask-read`"; !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("stderr %q", stderr.String())
	}
}

// Another device may answer while the person thinks; then they are told so, and what
// they type next is not an answer.
func TestSomebodyElseAnswersFirst(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) { x.Reply("It was " + outcomeOf(x.Ask(approvalRequest("read"))) + ".") }, "jarvis")
	in, out := io.Pipe()
	defer out.Close()
	var stdout, stderr syncBuffer
	shown := make(chan struct{}, 100)
	watched := writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), promptSign) {
			shown <- struct{}{}
		}
		return stderr.Write(p)
	})
	go func() {
		<-shown
		if _, err := h.desk().Decide(t.Context(), "ask-read-00", nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
			t.Error(err)
		}
	}()
	exit := run(t.Context(), h.env(user{columns: 60, person: true, stdin: in}, &stdout, watched), []string{"ask", "clean up"})
	if exit != 0 || stdout.String() != "It was deny.\n" || !strings.Contains(stderr.String(), "Already denied by ben through phone") {
		t.Errorf("%d %q %q", exit, stdout.String(), stderr.String())
	}
}

// untilStopped plays a turn that ends when it is stopped.
func untilStopped(h **testHub, begun chan<- struct{}) func(*scripted.Turn) {
	return func(x *scripted.Turn) {
		x.Piece("Once upon")
		from, _ := (*h).Hub.Head()
		begun <- struct{}{}
		(*h).until(from, func(e nod.Event) bool { return e.Agent != nil && e.Agent.Stopping != nil })
		x.Fail(nod.TroubleStopped, "stopped by anna")
	}
}

func TestCtrlCStopsTheAnswer(t *testing.T) {
	var h *testHub
	begun := make(chan struct{}, 1)
	h = newTestHub(t, untilStopped(&h, begun), "jarvis")
	signals := make(chan os.Signal, 1)
	go func() { <-begun; signals <- os.Interrupt }()
	got := h.nod(user{columns: 60, person: true, signals: signals}, "ask", "a long story")
	clitest.Check(t, got, 130, "", "Stopping. Ctrl+C once more leaves.")
	clitest.Check(t, got, 130, "", "Stopped: jarvis")
	if a := h.conversations()[0]; a.State != nod.AgentIdle {
		t.Errorf("it is %s", a.State)
	}
}

func TestCtrlCTwiceLeaves(t *testing.T) {
	var h *testHub
	begun, leave := make(chan struct{}, 1), make(chan struct{})
	h = newTestHub(t, func(x *scripted.Turn) {
		x.Hear()
		begun <- struct{}{}
		<-leave
	}, "jarvis")
	defer close(leave)
	signals := make(chan os.Signal, 2)
	go func() { <-begun; signals <- os.Interrupt; signals <- os.Interrupt }()
	got := h.nod(user{columns: 60, person: true, signals: signals}, "ask", "a long story")
	clitest.Check(t, got, 130, "", "The conversation stays: `nod chat")
}

func TestCtrlCWhereAnAnswerIsTyped(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) {
		if outcomeOf(x.Ask(approvalRequest("read"))) == "deny Stopped by anna at desk." {
			x.Fail(nod.TroubleStopped, "")
		}
	}, "jarvis")
	env := h.env(user{columns: 60, person: true}, &syncBuffer{}, &syncBuffer{})
	c := console.New(env)
	ctx, talk, stop, err := openConversation(t.Context(), c, &target{})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	talk.lines = interrupting{}
	o, err := talk.ask(ctx, "clean up")
	if err != nil || o.trouble != nod.TroubleStopped || !o.byUs {
		t.Errorf("%+v, %v", o, err)
	}
}

// A message whose response is lost is sent again under its id, and delivered once.
func TestABrokenConnectionSaysNothingTwice(t *testing.T) {
	h := newTestHub(t, echo, "jarvis")
	h.dropReplies.Store(1)
	clitest.Check(t, h.nod(user{}, "ask", "hello"), 0, "You said: hello\n", "")
	if n := h.messagesSent.Load(); n != 2 {
		t.Errorf("it was sent %d times", n)
	}
	turns, err := h.desk().Turns(t.Context(), h.conversations()[0].ID, 0, 10)
	if err != nil || len(turns) != 2 {
		t.Errorf("%d turns, %v: %+v", len(turns), err, turns)
	}
}

// The connection breaks in the middle of an answer: text that was printed is not
// printed again, and the rest is.
func TestAnAnswerGoesOnAfterABreak(t *testing.T) {
	drawn, goOn := make(chan struct{}), make(chan struct{})
	var h *testHub
	h = newTestHub(t, func(x *scripted.Turn) {
		x.Piece("One two ")
		<-drawn
		h.closeConnections()
		x.Piece("three ")
		<-goOn
		x.Piece("four ")
		x.Reply("One two three four five.")
	}, "jarvis")
	var stdout, stderr syncBuffer
	seen := 0
	watched := writerFunc(func(p []byte) (int, error) {
		n, err := stdout.Write(p)
		switch text := strings.Join(strings.Fields(stdout.String()), " "); {
		case text == "One two" && seen == 0:
			seen = 1
			close(drawn)
		case text == "One two three" && seen == 1:
			seen = 2
			close(goOn)
		}
		return n, err
	})
	if exit := run(t.Context(), h.env(user{columns: 60, person: true}, watched, &stderr), []string{"ask", "count"}); exit != 0 {
		t.Errorf("exit %d %s", exit, stderr.String())
	}
	if got := strings.Join(strings.Fields(stdout.String()), " "); got != "One two three four five." {
		t.Errorf("stdout %q", stdout.String())
	}
}

// interrupting is a person who presses Ctrl+C at once.
type interrupting struct{}

func (interrupting) line(context.Context, string, time.Duration) (string, error) {
	return "", errInterrupted
}
