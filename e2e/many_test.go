package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

func resetTime() time.Time { return time.Now().Add(90 * time.Minute).Truncate(time.Second) }

func (w *world) signal(t *testing.T, pid, name string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	sig := map[string]syscall.Signal{"STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT}[name]
	if err := syscall.Kill(n, sig); err != nil {
		t.Fatal(err)
	}
}

func TestFiveQuestionsAtOnceInAnyOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	outside := t.TempDir()
	var calls []fakeapi.Call
	for i := range 5 {
		file := filepath.Join(outside, fmt.Sprint("file", i))
		if err := os.WriteFile(file, fmt.Appendf(nil, "content %d\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, fakeapi.Tool("Read", map[string]any{"file_path": file}))
	}
	w.API.On("read them", fakeapi.Use(calls...), fakeapi.Say("read over"))
	s := w.StartTUI(t)
	s.Prompt(t, "read them")
	list := w.waiting(t, 5)
	byCall := map[string]*nod.Request{}
	for _, r := range list {
		byCall[r.Call] = r
	}
	for _, i := range []int{2, 4, 0, 3, 1} { // not the order on the screen
		r := byCall[calls[i].ID]
		if r == nil {
			t.Fatalf("no request knows call %d: %v", i, byCall)
		}
		a := nod.Answer{Verdict: nod.VerdictAllow}
		if i == 4 {
			a = nod.Answer{Verdict: nod.VerdictDeny, Message: "not this one"}
		}
		w.answer(t, r, a)
	}
	for i, c := range calls {
		got := s.WaitToolResult(t, c.ID)
		if i == 4 && got.Text != "not this one" || i != 4 && !strings.Contains(got.Text, fmt.Sprint("content ", i)) {
			t.Errorf("call %d: %+v", i, got)
		}
		w.reached(t, byCall[c.ID].ID, nod.StepApplied)
	}
	s.WaitScreen(t, "read over")
	w.hooksGone(t)
}

func TestTwoCallsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	a, b := fakeapi.Bash(`python3 -c "print('a')"`), fakeapi.Bash(`python3 -c "print('b')"`)
	w.API.On("both", fakeapi.Use(a, b), fakeapi.Say("both over"))
	s := w.StartTUI(t)
	s.Prompt(t, "both")
	first := w.one(t)
	w.answer(t, first, nod.Answer{Verdict: nod.VerdictAllow})
	w.settled(t, first.ID)
	second := w.one(t)
	if second.Call != b.ID {
		t.Errorf("the second request is about %s", second.Call)
	}
	w.answer(t, second, nod.Answer{Verdict: nod.VerdictAllow})
	s.WaitScreen(t, "both over")
	w.reached(t, first.ID, nod.StepApplied)
	w.reached(t, second.ID, nod.StepApplied)
}

// subagent starts a session whose subagent wants to run a command.
func (w *world) subagent(t *testing.T, command string) (*rig.TUI, fakeapi.Call) {
	t.Helper()
	inner := fakeapi.Bash(command)
	outer := fakeapi.Tool("Agent", map[string]any{"description": "look", "prompt": "look inside", "subagent_type": "general-purpose"})
	w.API.On("send someone", fakeapi.Use(outer), fakeapi.Say("someone is sent"))
	w.API.On("look inside", fakeapi.Use(inner), fakeapi.Say("seen inside"))
	w.API.OnContaining("<task-notification>", fakeapi.Say("noted"))
	s := w.StartTUI(t)
	s.Prompt(t, "send someone")
	return s, inner
}

func TestASubagentAsksInItsOwnName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s, inner := w.subagent(t, `python3 -c "print('from inside')"`)
	r := w.one(t)
	if r.Agent.Subagent == nil || r.Agent.Subagent.Type != "general-purpose" || r.Dialog != nod.DialogAfter {
		t.Errorf("asked by %+v, dialog %s", r.Agent, r.Dialog)
	}
	w.agent(t, "has a subagent", func(a *nod.Agent) bool { return len(a.Subagents) == 1 })
	w.answer(t, r, nod.Answer{Verdict: nod.VerdictAllow})
	if got := s.WaitToolResult(t, inner.ID); strings.TrimSpace(got.Text) != "from inside" {
		t.Errorf("the subagent was told %+v", got)
	}
	w.reached(t, r.ID, nod.StepApplied)
	w.agent(t, "has none any more", func(a *nod.Agent) bool { return len(a.Subagents) == 0 })
}

// Without a viewer, a request must not hide the dialog from the person at the
// terminal.
func TestSubagentRequestIsHandedBackWithoutAViewer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.killHub(t)
	w.writeConfig(t, "[claude]\nhand_back = \"1s\"\n")
	w.startHub(t)
	s, inner := w.subagent(t, `python3 -c "print('by hand')"`)
	s.WaitScreen(t, "by hand")
	s.Answer(t, "1")
	if got := s.WaitToolResult(t, inner.ID); strings.TrimSpace(got.Text) != "by hand" {
		t.Errorf("the subagent was told %+v", got)
	}
	list, err := w.client.Requests(t.Context(), clientAll)
	handedBack := 0
	for _, r := range list {
		switch {
		case r.Withdrawal != nil && r.Withdrawal.Reason == nod.WithdrawnHandedBack:
			handedBack++
		case r.Kind != nod.KindQuestion: // a dialog that waits for long is also read from the terminal, as a question
			t.Errorf("there is also %+v", r)
		}
	}
	if err != nil || handedBack != 1 {
		t.Errorf("%d were handed back: %+v, %v", handedBack, list, err)
	}
}
