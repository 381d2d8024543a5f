package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// press sends keys to the pane as a person at the terminal would.
func press(t *testing.T, s *rig.TUI, args ...string) {
	t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.Socket()}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
}

// timesSent counts how often the model got a text as a user message, in the
// conversation as it is now.
func (w *world) timesSent(text string) int {
	most := 0
	for _, r := range w.API.Requests() {
		n := 0
		for _, said := range r.UserTexts() {
			if said == text || strings.Contains(said, "while you were working:\n"+text) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestABusyAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	work := func(prompt string) (release func()) {
		t.Helper()
		hold := make(chan struct{})
		w.API.On(prompt, fakeapi.Say(prompt+" over").Until(hold))
		w.delivered(t, m, s, a, prompt)
		s.WaitStatus(t, "busy")
		return sync.OnceFunc(func() { close(hold) })
	}
	t.Run("hears it behind the running turn", func(t *testing.T) {
		release := work("first task")
		defer release()
		w.API.On("and then this", fakeapi.Say("then this over"))
		w.delivered(t, m, s, a, "and then this") // in Claude Code's own queue, which its hook confirms
		if s.Status().Status != "busy" {
			t.Errorf("the agent is %s", s.Status())
		}
		release()
		s.WaitScreen(t, "then this over")
		s.WaitStatus(t, "idle")
		if !strings.Contains(s.Screen(), "first task over") {
			t.Errorf("the running turn was disturbed:\n%s", s.Screen())
		}
	})
	t.Run("is interrupted", func(t *testing.T) {
		release := work("second task")
		defer release()
		w.API.On("stop that, do this", fakeapi.Say("did this instead"))
		id := w.say(t, a, "stop that, do this", nod.Interrupt)
		m.reached(t, w, s, id, nod.Delivered)
		s.WaitScreen(t, "did this instead")
		s.WaitStatus(t, "idle")
		if strings.Contains(s.Screen(), "second task over") {
			t.Errorf("it was not interrupted:\n%s", s.Screen())
		}
		clearBox(t, s)
	})
	t.Run("is waited for", func(t *testing.T) {
		release := work("third task")
		defer release()
		w.API.On("when you are done", fakeapi.Say("now I am"))
		waits := w.say(t, a, "when you are done", nod.Wait)
		w.delivered(t, m, s, a, "a word meanwhile") // does not wait behind the one that waits
		if got := m.get(waits); got.Status != nod.Queued {
			t.Errorf("while the agent works it is %s", got.Status)
		}
		release()
		m.reached(t, w, s, waits, nod.Delivered)
		s.WaitScreen(t, "now I am")
		s.WaitStatus(t, "idle")
	})
	t.Run("is stopped", func(t *testing.T) {
		release := work("fourth task")
		defer release()
		press(t, s, "send-keys", "-t", s.Pane(), "-l", "--", "half a thought")
		s.WaitScreen(t, "half a thought")
		later := w.say(t, a, "never to be said", nod.Wait)
		w.ok(t, "stop", string(a.ID))
		s.WaitStatus(t, "idle")
		w.agent(t, "has stopped", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Stopping == nil })
		if got := m.reached(t, w, s, later, nod.Failed); !strings.Contains(got.Problem, "stopped by") {
			t.Errorf("the waiting words: %q", got.Problem)
		}
		clearBox(t, s)
		w.delivered(t, m, s, a, "and again")
	})
	if n := w.timesSent("never to be said"); n != 0 {
		t.Errorf("the agent was told what was stopped, %d times", n)
	}
}

// clearBox takes out what Claude Code puts back into its input box when a prompt
// is interrupted before anything came of it.
func clearBox(t *testing.T, s *rig.TUI) {
	t.Helper()
	s.Keys(t, "C-e", "C-u", "C-u")
}

func TestADialogIsNeverTypedInto(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print('asked')"`)
	w.API.On("ask me", fakeapi.Use(call), fakeapi.Say("asked and done"))
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	w.delivered(t, m, s, a, "ask me")
	r := w.one(t)
	s.WaitDialog(t)
	id := w.say(t, a, "meanwhile, this", nod.Queue)
	looks := 0
	rig.Until(t, "the dialog to stay as it is", func() bool {
		if got := m.get(id); got.Status != "" && got.Status != nod.Queued || s.Status().Status != "waiting" {
			t.Fatalf("the message is %s, the dialog %s\n%s", got.Status, s.Status(), s.Screen())
		}
		looks++
		return looks > 60
	}, s.Screen)
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
	if got := s.WaitToolResult(t, call.ID); got.Text != "not now" {
		t.Errorf("the dialog was answered otherwise: %+v", got)
	}
	m.reached(t, w, s, id, nod.Delivered)
	rig.Until(t, "the words to reach the model", func() bool { return w.timesSent("meanwhile, this") == 1 }, s.Screen)
}

func TestCopyModeAndDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	press(t, s, "copy-mode", "-t", s.Pane())
	w.delivered(t, m, s, a, "out of copy mode")
	s.WaitStatus(t, "idle")
	press(t, s, "send-keys", "-t", s.Pane(), "-l", "--", "half a thought")
	s.WaitScreen(t, "half a thought")
	w.delivered(t, m, s, a, "past a draft")
	rig.Until(t, "the draft to come back", func() bool {
		lines := strings.Split(strings.TrimSpace(s.Screen()), "\n")
		return len(lines) > 3 && strings.Contains(strings.Join(lines[len(lines)-4:], "\n"), "half a thought")
	}, s.Screen)
	rig.Until(t, "the words to reach the model", func() bool { return w.timesSent("past a draft") == 1 }, s.Screen)
	if n := m.count("past a draft"); n != 1 {
		t.Errorf("it was heard %d times", n)
	}
}

// A suggestion in the box was not typed by a person: it is neither kept nor sent.
func TestSuggestionIsNotADraft(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Env: map[string]string{
		"CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "true", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "",
	}})
	w.API.OnContaining("SUGGESTION MODE", fakeapi.Say("run the tests"))
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	turn, looks := 0, 0
	rig.Until(t, "a suggestion", func() bool {
		if looks%80 == 0 { // it does not make one after every turn
			w.delivered(t, m, s, a, fmt.Sprint("turn ", turn))
			turn++
		}
		looks++
		return strings.Contains(s.Screen(), "run the tests")
	}, s.Screen)
	w.delivered(t, m, s, a, "my own words")
	turns := m.said()
	if got := turns[len(turns)-1].Text; got != "my own words" {
		t.Errorf("the agent was told %q", got)
	}
}

// Whatever the moment in which the pane is killed: the sender is told, and told
// the truth.
func TestPaneDiesWhileTyping(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	id := w.say(t, a, "into the void", nod.Queue)
	m.reached(t, w, s, id, nod.Typed, nod.Delivered)
	press(t, s, "kill-pane", "-t", s.Pane())
	if got := m.reached(t, w, s, id, nod.Failed, nod.Delivered); got.Status == nod.Failed && got.Problem == "" {
		t.Error("it failed without a reason")
	} else if n := m.count("into the void"); got.Status == nod.Delivered && n != 1 {
		t.Errorf("delivered, but heard %d times", n)
	}
	w.agent(t, "cannot be spoken to", func(a *nod.Agent) bool { return !a.Alive() || !a.Able(nod.CanSay) })
}

// Through tmux one Ctrl+B is enough: its prefix concerns keyboards alone. The
// driver's Background relies on it.
func TestOneCtrlBSendsToTheBackground(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Settings: []byte(`{"permissions":{"allow":["Bash(sleep:*)"]}}`)})
	call := fakeapi.Bash("sleep 20")
	w.API.On("take your time", fakeapi.Use(call), fakeapi.Say("it goes on behind"))
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	w.delivered(t, m, s, a, "take your time")
	s.WaitScreen(t, "to run in background")
	s.Keys(t, "C-b")
	if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, "background") {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitScreen(t, "it goes on behind")
}
