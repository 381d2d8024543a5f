//go:build unix

package headless

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"nod"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{Context: time.Minute})
	m := s.say(id, "zażółć „gęślą” 🏠 \"jaźń\"")
	if o := s.outcome(m); o.text != "heard zażółć „gęślą” 🏠 \"jaźń\"" {
		t.Errorf("%+v", o)
	}
	a := s.agent(id, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Talk.Turns == 1 })
	if a.Process == nil || a.Process.PID == 0 || a.Process.Start == 0 || !a.Process.Local || !a.Talk.Warm || a.Talk.Session == "" || a.Talk.Until == nil {
		t.Errorf("%+v %+v", a.Process, a.Talk)
	}
	if a.Context == nil || a.Context.Tokens < 100 || a.Context.Window != 200000 || a.Model != "fake-1" || a.Mode != "default" {
		t.Errorf("%+v %s %s", a.Context, a.Model, a.Mode)
	}
	s.orderOf(m)
}

// orderOf checks what the log shows for a message that was answered.
func (s *stage) orderOf(m nod.MessageID) {
	s.Helper()
	var kinds []string
	var answer nod.Seq
	s.until("the whole turn", func(e *nod.Event) bool {
		switch {
		case e.Message != nil && e.Message.ID == m:
			kinds = append(kinds, string(e.Kind))
		case e.Turn != nil && e.Turn.To == m:
			kinds = append(kinds, string(e.Turn.Role))
			answer = e.Seq
		case e.Kind == nod.AgentChanged && e.Agent.State == nod.AgentWorking && len(kinds) == 4:
			kinds = append(kinds, "working")
		case e.Kind == nod.AgentChanged && e.Agent.State == nod.AgentIdle && answer > 0 && e.Seq == answer+1:
			kinds = append(kinds, "idle")
			return true
		}
		return false
	})
	want := "message.said message.typed message.delivered person working agent idle"
	if got := strings.Join(kinds, " "); got != want {
		s.Errorf("the log says\n %s, want\n %s", got, want)
	}
}

func TestProgramIsReused(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.answered(id, "count", "1")
	first := s.agent(id, "is warm", func(a *nod.Agent) bool { return a.Process != nil }).Process.PID
	s.answered(id, "count", "2")
	if again := s.agent(id, "is warm", func(a *nod.Agent) bool { return a.Process != nil }).Process.PID; again != first {
		t.Errorf("process %d became %d", first, again)
	}
}

// An idle program ends after its time; the next message resumes its session.
func TestIdleProgramEndsAndIsResumed(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Idle = 50 * time.Millisecond })
	id := s.open(nod.Opening{})
	s.answered(id, "count", "1")
	pid := 0
	s.until("a warm program", func(e *nod.Event) bool {
		if e.Kind == nod.AgentChanged && e.Agent.Process != nil {
			pid = e.Agent.Process.PID
		}
		return pid > 0
	})
	s.gone(pid)
	a := s.agent(id, "is cold", func(a *nod.Agent) bool { return a.Process == nil && !a.Talk.Warm })
	if a.State != nod.AgentIdle {
		t.Errorf("state %s", a.State)
	}
	s.answered(id, "count", "2")
}

func TestLostSessionIsReportedAndTheConversationContinues(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Idle = 50 * time.Millisecond })
	id := s.open(nod.Opening{Hints: "the kitchen"})
	s.answered(id, "hello", "heard hello|(Not said by the person: the kitchen)")
	a := s.agent(id, "is cold", func(a *nod.Agent) bool { return a.Talk.Turns == 1 && !a.Talk.Warm })
	if err := os.Remove(filepath.Join(s.opts.Data, "assistants", "house", a.Talk.Session+".said")); err != nil {
		t.Fatal(err)
	}
	s.answered(id, "hello again", "heard hello again|(Not said by the person: the kitchen)")
	s.until("a word about it", func(e *nod.Event) bool {
		return e.Turn != nil && e.Turn.Role == nod.TurnSystem && strings.Contains(e.Turn.Text, "begins anew") && e.Turn.Trouble == ""
	})
	if now := s.agent(id, "has another record", func(b *nod.Agent) bool { return b.Talk.Session != a.Talk.Session }); now.Talk.Session == "" {
		t.Error("there is none")
	}
}

func TestHintsAndFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{Hints: "the kitchen"})
	m := s.sayAs(id, nod.Message{Text: "look", Hint: "briefly", Files: []nod.Attachment{{ID: "f1", Name: "a.txt", Path: "/data/a.txt"}}})
	want := "heard look\n\nAttached file: /data/a.txt|(Not said by the person: the kitchen)|(Not said by the person: briefly)"
	if o := s.outcome(m); o.text != want {
		t.Errorf("%q", o.text)
	}
	s.answered(id, "more", "heard more")
	e := s.until("the person's turn", func(e *nod.Event) bool { return e.Turn != nil && e.Turn.Role == nod.TurnPerson })
	if e.Turn.Text != "look" {
		t.Errorf("chats show %q", e.Turn.Text)
	}
}

func TestArgumentsAndEnvironmentOfAProgram(t *testing.T) {
	t.Parallel()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("top-secret\nmore\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, func(o *options) {
		o.Assistants = []Assistant{{
			Name: "house", Prompt: "You are a house.\n--model=evil", Model: "m1", Tools: []string{"none"},
			Allow: []string{"Bash(ls a,b)", "Read"}, Deny: []string{"Write"}, Settings: []string{"user", "project"},
			MCP: map[string]MCPServer{"ha": {URL: "http://127.0.0.1/api/mcp", TokenFile: token}, "todo": {Command: []string{"todo", "-x"}, Env: map[string]string{"A": "b"}}},
		}}
	})
	got := s.outcome(s.say(s.open(nod.Opening{}), "who")).text
	for _, want := range []string{
		"--permission-prompt-tool=stdio\n", "--append-system-prompt=You are a house.\n--model=evil\n", "--model=m1\n", "--tools=\n",
		"--allowedTools=Bash(ls a,b)\n--allowedTools=Read\n", "--disallowedTools=Write\n", "--setting-sources=user,project\n", "--strict-mcp-config\n",
		"ANTHROPIC_MODEL=m\n", "NOD_HEADLESS=1\n", "cwd=" + filepath.Join(s.opts.Data, "assistants", "house"),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	for _, never := range []string{"CLAUDECODE", "NOD_TOKEN", "OTHER", "top-secret"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is passed on", never)
		}
	}
	file := filepath.Join(s.opts.Data, "headless", "house.mcp.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info, err)
	}
	text, _ := os.ReadFile(file)
	want := `{"mcpServers":{"ha":{"headers":{"Authorization":"Bearer top-secret"},"type":"http","url":"http://127.0.0.1/api/mcp"},"todo":{"args":["-x"],"command":"todo","env":{"A":"b"},"type":"stdio"}}}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
}

func TestDraftsWhileTheModelWrites(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	m := s.say(id, "paragraphs")
	r := s.asked(id)
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	s.until("another question", func(e *nod.Event) bool { return e.Kind == nod.RequestRaised && e.RequestID != r.ID })
	var text string
	over := false
	for d, err := range s.Desk().Drafts(s.ctx(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if text += d.Text; d.Message != m || d.At+len(d.Text) != len(text) {
			t.Errorf("%+v after %q", d, text)
		}
		if over = d.Over; over {
			break
		}
		if text == "First.\n\nSecond." {
			s.decide(s.asked(id), nod.Answer{Verdict: nod.VerdictDeny})
		}
	}
	if o := s.outcome(m); !over || o.text != text {
		t.Errorf("pieces %q, answer %q", text, o.text)
	}
}

func TestHardLines(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.answered(id, "garbage", "still here")
	s.answered(id, "strange", "error")
	s.answered(id, "big 100000", strings.Repeat("0123456789", 10_000))
	if o := s.outcome(s.say(id, "big 3000000")); len(o.text) != longestAnswer {
		t.Errorf("%d bytes", len(o.text))
	}
	e := s.until("a cut answer", func(e *nod.Event) bool { return e.Turn != nil && e.Turn.Cut > 0 })
	if e.Turn.Cut != 3_000_000-longestAnswer {
		t.Errorf("%d bytes are missing, not %d", 3_000_000-longestAnswer, e.Turn.Cut)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	first := s.say(id, "tool ls")
	r := s.asked(id)
	second := s.sayAs(id, nod.Message{Text: "two", WhenBusy: nod.Wait})
	third := s.say(id, "three")
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	a, b, c := s.outcome(first), s.outcome(second), s.outcome(third)
	if b.text != "heard two" || c.text != "heard three" || !(a.seq < b.seq && b.seq < c.seq) {
		t.Errorf("%+v\n%+v\n%+v", a, b, c)
	}
}

func TestTwoConversationsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	one, two := s.open(nod.Opening{}), s.open(nod.Opening{Assistant: "other"})
	m := s.say(one, "tool ls")
	r := s.asked(one)
	s.answered(two, "hello", "heard hello") // while the other waits
	s.decide(r, nod.Answer{Verdict: nod.VerdictAllow})
	if o := s.outcome(m); !strings.Contains(o.text, "allow") {
		t.Errorf("%+v", o)
	}
}

func TestSilenceEndsAConversation(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{Context: time.Second})
	s.answered(id, "hello", "heard hello")
	pid := s.agent(id, "is warm or over", func(a *nod.Agent) bool { return a.Talk.Turns == 1 }).Process.PID
	a := s.agent(id, "has ended", func(a *nod.Agent) bool { return a.State == nod.AgentEnded })
	if a.Problem != "its time of silence is over" || a.Talk.Warm {
		t.Errorf("%s %+v", a.Problem, a.Talk)
	}
	s.gone(pid)
}

func TestConversationWithoutContextEndsAfterKeep(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Keep = 100 * time.Millisecond })
	id := s.open(nod.Opening{})
	s.agent(id, "has ended", func(a *nod.Agent) bool { return a.State == nod.AgentEnded })
}

func TestEndingAConversationEndsItsProgramAndTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	m := s.say(id, "hang")
	pid := s.agent(id, "works", func(a *nod.Agent) bool { return a.State == nod.AgentWorking }).Process.PID
	if err := s.Desk().Leave(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	if o := s.outcome(m); o.trouble != nod.TroubleStopped {
		t.Errorf("%+v", o)
	}
	s.gone(pid)
	s.agent(id, "has no process", func(a *nod.Agent) bool { return a.State == nod.AgentEnded && a.Process == nil })
}

func TestProgramThatIgnoresItsEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.open(nod.Opening{})
	s.say(id, "rogue")
	s.asked(id)
	tool := 0
	for d, err := range s.Desk().Drafts(s.ctx(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if tool, _ = strconv.Atoi(strings.TrimSpace(d.Text)); tool > 0 {
			break
		}
	}
	if !running(tool) {
		t.Fatal("its tool does not run")
	}
	pid := s.agent(id, "runs", func(a *nod.Agent) bool { return a.Process != nil }).Process.PID
	if err := s.Desk().Leave(s.ctx(), id); err != nil {
		t.Fatal(err)
	}
	s.gone(pid)
	if runtime.GOOS == "linux" {
		s.gone(tool)
	}
}

// Whatever the programs are at: when the hub ends, none is left, nor what they started.
func TestNothingSurvivesTheHub(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(o *options) { o.Spare, o.written = true, true })
	idle, busy := s.open(nod.Opening{}), s.open(nod.Opening{})
	child, err := strconv.Atoi(s.outcome(s.say(idle, "child")).text)
	if err != nil {
		t.Fatal(err)
	}
	s.say(busy, "stubborn")
	s.agent(busy, "works", func(a *nod.Agent) bool { return a.State == nod.AgentWorking })
	pids := append(s.driver.pool.pids(), child)
	for _, pid := range pids {
		if !running(pid) {
			t.Errorf("process %d does not run", pid)
		}
	}
	if len(pids) < 3 {
		t.Fatalf("processes %v", pids)
	}
	s.Stop()
	for _, pid := range pids {
		s.gone(pid)
	}
}
