package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/terminal/run"
)

const sleepsFreely = `{"permissions":{"allow":["Bash(sleep:*)"]}}`

func (w *world) press(t *testing.T, a *nod.Agent, key string) {
	t.Helper()
	if err := w.client.Press(t.Context(), a.ID, key); err != nil {
		t.Fatal(err)
	}
}

func (w *world) inMode(t *testing.T, mode string) {
	t.Helper()
	w.agent(t, "is in the mode "+mode, func(a *nod.Agent) bool { return a.Mode == mode })
}

// noted waits until the conversation says something of a key.
func (w *world) noted(t *testing.T, a *nod.Agent, key, part string) {
	t.Helper()
	rig.Until(t, "a notice of the key "+key, func() bool {
		turns, err := w.client.Turns(t.Context(), a.ID, 0, 50)
		return err == nil && slices.ContainsFunc(turns, func(turn nod.Turn) bool {
			return turn.Role == nod.TurnSystem && turn.Tool == key && strings.Contains(turn.Text, part)
		})
	}, w.evidence)
}

// One Shift+Tab for each press, one Ctrl+B for a tool that runs, none into a
// dialog; a key that could not be pressed leaves a notice in the conversation.
func TestKeysInTmux(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Settings: []byte(sleepsFreely)})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	t.Run("mode", func(t *testing.T) {
		w.inMode(t, "default")
		for _, mode := range []string{"acceptEdits", "plan", "auto", "default"} {
			w.press(t, a, "mode")
			w.inMode(t, mode)
		}
		s.WaitScreen(t, "manual mode on")
	})
	t.Run("mode in copy mode and beside a draft", func(t *testing.T) {
		press(t, s, "send-keys", "-t", s.Pane(), "-l", "--", "half a thought")
		s.WaitScreen(t, "half a thought")
		press(t, s, "copy-mode", "-t", s.Pane())
		w.press(t, a, "mode")
		w.inMode(t, "acceptEdits")
		s.WaitScreen(t, "half a thought")
		clearBox(t, s)
	})
	t.Run("a tool goes to the background", func(t *testing.T) {
		call := fakeapi.Bash("sleep 20")
		w.API.On("take your time", fakeapi.Use(call), fakeapi.Say("it goes on behind"))
		w.delivered(t, m, s, a, "take your time")
		w.press(t, a, "background") // before it is offered: the key waits for that
		if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, "backgrounded by user") {
			t.Errorf("the model was told %+v", got)
		}
		s.WaitScreen(t, "it goes on behind")
	})
	t.Run("beside a draft too", func(t *testing.T) {
		call := fakeapi.Bash("sleep 19")
		w.API.On("and once more", fakeapi.Use(call), fakeapi.Say("and this one too"))
		w.delivered(t, m, s, a, "and once more")
		press(t, s, "send-keys", "-t", s.Pane(), "-l", "--", "half a thought")
		s.WaitScreen(t, "half a thought")
		w.press(t, a, "background")
		if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, "backgrounded by user") {
			t.Errorf("the model was told %+v", got)
		}
		s.WaitScreen(t, "and this one too")
		s.WaitScreen(t, "half a thought")
		clearBox(t, s)
	})
	t.Run("nothing to send there", func(t *testing.T) {
		w.agent(t, "is idle", func(a *nod.Agent) bool { return a.State == nod.AgentIdle })
		if turns, err := w.client.Turns(t.Context(), a.ID, 0, 50); err != nil || slices.ContainsFunc(turns, func(turn nod.Turn) bool { return turn.Tool == "background" }) {
			t.Errorf("told although it worked: %+v %v", turns, err)
		}
		w.press(t, a, "background")
		w.noted(t, a, "background", "Nothing runs")
	})
	t.Run("never into a dialog", func(t *testing.T) {
		call := fakeapi.Bash(`python3 -c "print('asked')"`)
		w.API.On("ask me", fakeapi.Use(call), fakeapi.Say("asked and done"))
		w.delivered(t, m, s, a, "ask me")
		r := w.one(t)
		s.WaitDialog(t)
		w.press(t, a, "mode")
		w.noted(t, a, "mode", "A dialog is open")
		w.inMode(t, "acceptEdits")
		if r, err := w.client.Request(t.Context(), string(r.ID)); err != nil || r.Settled() {
			t.Errorf("the dialog was answered: %+v %v", r, err)
		}
		w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
	})
}

func TestKeysUnderRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Settings: []byte(sleepsFreely)})
	s := w.runSpoken(t)
	w.inMode(t, "default")
	w.press(t, s.a, "mode")
	w.inMode(t, "acceptEdits")
	w.press(t, s.a, "mode")
	w.inMode(t, "plan")
	w.press(t, s.a, "mode")
	w.press(t, s.a, "mode")
	w.inMode(t, "default")
	call := fakeapi.Bash("sleep 20")
	w.API.On("take your time", fakeapi.Use(call), fakeapi.Say("it goes on behind"))
	s.delivered("take your time")
	w.press(t, s.a, "background")
	if got, err := w.API.WaitToolResult(t.Context(), call.ID); err != nil || !strings.Contains(got.Text, "backgrounded by user") {
		t.Errorf("the model was told %+v %v", got, err)
	}
	s.shows("it goes on behind")
}

// untrusted is Claude Code under `nod run` in a folder that it does not trust yet,
// with two servers that it does not know.
func (w *world) untrusted(t *testing.T) *owned {
	t.Helper()
	dir := filepath.Join(w.Home, "untrusted")
	servers := `{"mcpServers":{"files":{"command":"true"},"web":{"command":"true"}}}`
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	rig.MakeRepository(t, dir)
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(servers), 0o600); err != nil {
		t.Fatal(err)
	}
	o := w.wrapped(t, dir)
	o.pane = o.dial()
	return o
}

// Before there is a session and before any hook: the folder and the servers are
// allowed remotely, and the session that follows is one agent.
func TestStartupDialogsUnderRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	o := w.untrusted(t)
	r := w.one(t)
	if q := r.Questions[0]; !strings.Contains(q.Text, "untrusted") || len(q.Choices) != 2 || r.OneTap || r.Risk == nil || r.Risk.Level != "unknown" ||
		r.Agent.Name != "untrusted" || r.Agent.Kind != "claude" || r.Receipts[0].By != "run" {
		t.Fatalf("the request is %+v", r)
	}
	w.reply(t, r, "Yes, I trust this folder")
	if r = w.reached(t, r.ID, nod.StepApplied); r.Receipts[len(r.Receipts)-1].By != "run" {
		t.Errorf("%+v", r.Receipts)
	}
	r = w.one(t)
	if q := r.Questions[0]; !q.Multi || q.FreeText || len(q.Choices) != 2 || r.OneTap || !strings.Contains(q.Text, "MCP servers") {
		t.Fatalf("the request is %+v", r)
	}
	w.reply(t, r, "web")
	w.reached(t, r.ID, nod.StepApplied)
	a := w.talkable(t)
	if a.Name != "untrusted" || a.Process.Run == "" {
		t.Errorf("%+v %+v", a, a.Process)
	}
	if list, err := w.client.Agents(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d agents, %v", len(list), err)
	}
	w.waiting(t, 0)
	o.shows("manual mode on")
	settings, err := os.ReadFile(filepath.Join(w.Home, "untrusted", ".claude", "settings.local.json"))
	if text := strings.Join(strings.Fields(string(settings)), ""); err != nil || text != `{"enabledMcpjsonServers":["web"],"disabledMcpjsonServers":["files"]}` {
		t.Errorf("let in: %s %v", text, err)
	}
}

func TestStartupDialogIsDenied(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	t.Run("from elsewhere", func(t *testing.T) {
		o := w.untrusted(t)
		r := w.one(t)
		w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny})
		rig.Until(t, "the end of Claude Code", func() bool {
			_, err := os.Lstat(filepath.Join(run.SocketDir(w.data), strconv.Itoa(o.pid)+".sock"))
			return os.IsNotExist(err)
		}, o.terminal)
		w.waiting(t, 0)
	})
}

// A person at the terminal answers first; the other devices are updated.
func TestStartupDialogAnsweredInTheTerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	o := w.untrusted(t)
	r := w.one(t)
	o.tmux("send-keys", "-t", "%0", "Down")
	o.shows("❯ Yes, I trust")
	o.tmux("send-keys", "-t", "%0", "Enter")
	if r = w.settled(t, r.ID); r.Status != nod.Withdrawn || r.Withdrawal.Reason != nod.WithdrawnTerminal {
		t.Errorf("%s %+v", r.Status, r.Withdrawal)
	}
	o.gone()
	rig.Until(t, "nothing to wait for", func() bool {
		s, err := w.client.State(t.Context())
		return err == nil && len(s.Requests) == 0
	}, w.evidence)
}

// Boxes are read with their marks, ticked by label and sent off.
func TestCheckboxesAreSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.forgetHook(t, "PermissionRequest")
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	call := questions(question("Which langs?", true, "Go", "Rust", "C"))
	w.API.On("multi", fakeapi.Use(call), fakeapi.Say("multi done"))
	w.delivered(t, m, s, a, "multi")
	r := w.one(t)
	if q := r.Questions[0]; !q.Multi || len(q.Choices) != 3 || q.Choices[1].Label != "Rust" {
		t.Fatalf("asked: %+v", q)
	}
	press(t, s, "send-keys", "-t", s.Pane(), "Space") // the person at the terminal has ticked Go meanwhile
	s.WaitScreen(t, "[✔] Go")
	w.reply(t, r, "Rust,C")
	w.reached(t, r.ID, nod.StepApplied)
	review := w.one(t)
	if !strings.Contains(review.Display, "Rust, C") || strings.Contains(review.Display, "Go,") {
		t.Errorf("to be sent off: %s", review.Display)
	}
	w.reply(t, review, "Submit answers")
	if got := s.WaitToolResult(t, call.ID); !strings.Contains(got.Text, `"Rust, C"`) {
		t.Errorf("the model was told %+v", got)
	}
	s.WaitStatus(t, wire.StatusIdle)
}
