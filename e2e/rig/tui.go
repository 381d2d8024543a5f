package rig

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"nod/e2e/fakeapi"
)

// keyGuard is how long a dialog must have been open before it accepts keys: for 0.4 s after it appears Claude Code
// ignores them, and nothing on the screen shows when that is over.
const keyGuard = 700 * time.Millisecond

// TUI is Claude Code in a terminal of its own.
type TUI struct {
	rig     *Rig
	tmux    *tmux
	pid     int
	lastKey time.Time
}

// StartTUI opens Claude Code in tmux and returns when it accepts prompts.
func (r *Rig) StartTUI(t testing.TB, args ...string) *TUI {
	t.Helper()
	s := &TUI{rig: r, tmux: newTmux(t, r)}
	pid, err := s.tmux.open(r.Dir, r.Env(), slices.Concat([]string{r.claude}, r.args(args...))...)
	if err != nil {
		t.Fatal(err)
	}
	s.pid = pid
	t.Cleanup(s.Kill)
	s.WaitStatus(t, "idle")
	s.WaitScreen(t, "❯")
	return s
}

// PID is the process id of Claude Code itself.
func (s *TUI) PID() int { return s.pid }

// Socket is the path for `tmux -S`.
func (s *TUI) Socket() string { return s.tmux.socket }

// Pane is the only pane of the private server.
func (s *TUI) Pane() string { return "%0" }

// Prompt pastes text into the input box and sends it. Enter is sent only once the text is on the screen: an Enter
// that hits a dialog instead would approve it.
func (s *TUI) Prompt(t testing.TB, text string) {
	t.Helper()
	if status := s.Status(); status.Status == "waiting" {
		t.Fatalf("a dialog is open (%s), a prompt now would answer it\n%s", status.WaitingFor, s.Screen())
	}
	s.must(t, []byte(text), "load-buffer", "-b", "prompt", "-")
	s.must(t, nil, "paste-buffer", "-p", "-d", "-b", "prompt", "-t", s.Pane())
	shown := beginning(text)
	Until(t, "the prompt in the input box", func() bool {
		screen := s.Screen()
		return strings.Contains(screen, shown) || strings.Contains(screen, "[Pasted text")
	}, s.evidence)
	s.Keys(t, "Enter")
}

// beginning is the part of a prompt that surely fits on one line of the screen.
func beginning(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(line)
	return string(runes[:min(len(runes), 20)])
}

// Keys sends keys by their tmux names: "Enter", "Escape", "1", "C-c".
func (s *TUI) Keys(t testing.TB, keys ...string) {
	t.Helper()
	s.must(t, nil, append([]string{"send-keys", "-t", s.Pane(), "--"}, keys...)...)
	s.lastKey = time.Now()
}

// Answer waits for a dialog that is ready for keys and sends them.
func (s *TUI) Answer(t testing.TB, keys ...string) {
	t.Helper()
	s.WaitDialog(t)
	s.Keys(t, keys...)
}

// WaitDialog waits until a dialog has been open long enough to accept keys.
func (s *TUI) WaitDialog(t testing.TB) {
	t.Helper()
	Until(t, "a dialog that takes keys", func() bool {
		status := s.Status()
		return status.Status == "waiting" && time.Since(status.Since()) > keyGuard && time.Since(s.lastKey) > keyGuard
	}, s.evidence)
}

// Screen is the current text on the screen.
func (s *TUI) Screen() string {
	out, err := s.tmux.run(nil, "capture-pane", "-p", "-t", s.Pane())
	if err != nil {
		return err.Error()
	}
	return strings.TrimRight(out, "\n")
}

// WaitScreen waits for a text to appear.
func (s *TUI) WaitScreen(t testing.TB, part string) {
	t.Helper()
	Until(t, "the screen to show "+part, func() bool { return strings.Contains(s.Screen(), part) }, s.evidence)
}

// WaitScreenWithout waits for a text to disappear.
func (s *TUI) WaitScreenWithout(t testing.TB, part string) {
	t.Helper()
	Until(t, "the screen to lose "+part, func() bool { return !strings.Contains(s.Screen(), part) }, s.evidence)
}

// WaitToolResult waits until the model has received the result of a call.
func (s *TUI) WaitToolResult(t testing.TB, id string) fakeapi.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	result, err := s.rig.API.WaitToolResult(ctx, id)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.evidence())
	}
	return result
}

// Kill ends the session as a closed terminal would and waits until it is gone.
func (s *TUI) Kill() { end(s.pid) }

// WaitExit waits until Claude Code is gone.
func (s *TUI) WaitExit(t testing.TB) {
	t.Helper()
	Until(t, "Claude Code to exit", func() bool { return !alive(s.pid) }, s.evidence)
}

func (s *TUI) evidence() string {
	return "status file: " + s.Status().String() + "\nscreen:\n" + s.Screen()
}

func (s *TUI) must(t testing.TB, stdin []byte, args ...string) {
	t.Helper()
	if _, err := s.tmux.run(stdin, args...); err != nil {
		t.Fatal(err)
	}
}
