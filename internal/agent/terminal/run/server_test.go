//go:build linux || darwin

package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
)

const pastes = "\x1b[?2004h"

func TestTheHubTypes(t *testing.T) {
	d, p := startMirror(t, pastes)
	big := strings.Repeat("żółw 猫 👩‍💻 ; -x \\ '\"\n", 4000)
	for _, c := range []struct{ name, text string }{
		{"one line", "hello"},
		{"several lines and tabs", "one\n\ttwo\n"},
		{"what tmux trips over", "-l trailing;"},
		{"100 kB", big},
	} {
		if err := p.Paste(t.Context(), c.text); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		d.expect("\x1b[200~" + strings.ReplaceAll(c.text, "\n", "\r") + "\x1b[201~")
	}
	for key, want := range map[string]string{"enter": "\r", "escape": "\x1b", "ctrl-b": "\x02", "shift-tab": "\x1b[Z", "up": "\x1b[A", "1": "1"} {
		before, _ := d.shown()
		if err := p.SendKeys(t.Context(), key); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		d.until(key, func(seen []byte) bool { return string(seen[len(before):]) == want })
	}
}

func TestSeveralKeysAtOnce(t *testing.T) {
	d, p := startMirror(t, "\x1b[?1h")
	if err := p.SendKeys(t.Context(), "C-e", "C-u", "BSpace", "BTab", "Up", "Enter"); err != nil {
		t.Fatal(err)
	}
	d.expect("\x05\x15\x7f\x1b[Z\x1bOA\r") // the arrow in the form that was asked for
	if err := p.Type(t.Context(), "free text; ok"); err != nil {
		t.Fatal(err)
	}
	d.expect("\rfree text; ok")
	for _, keys := range [][]string{{"Escape", "Enter"}, {}, {"C-d"}} {
		if err := p.SendKeys(t.Context(), keys...); !errors.Is(err, Garbled) {
			t.Errorf("%q: %v", keys, err)
		}
	}
	if err := p.Type(t.Context(), "two\nlines"); !errors.Is(err, Garbled) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNotTyped(t *testing.T) {
	d, p := startMirror(t, pastes)
	before, _ := d.shown()
	for name, text := range map[string]string{
		"nothing": "", "the end of the paste": "a\x1b[201~rm -rf", "a carriage return": "a\rb", "a C1 control": "a\u009b201~", "no UTF-8": "a\xff",
		"a book": strings.Repeat("x", maxText+1),
	} {
		if err := p.Paste(t.Context(), text); !errors.Is(err, Garbled) || nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.SendKeys(t.Context(), "ctrl-c"); !errors.Is(err, Garbled) {
		t.Errorf("%v", err)
	}
	if err := p.ForProcess(os.Getpid()).Paste(t.Context(), "not for me"); !errors.Is(err, Elsewhere) {
		t.Errorf("%v", err)
	}
	if _, err := p.ForProcess(os.Getpid()).Screen(t.Context()); !errors.Is(err, Elsewhere) {
		t.Errorf("what somebody else shows was told: %v", err)
	}
	late, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	if err := p.Paste(late, "too late"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if err := p.Paste(t.Context(), "this"); err != nil {
		t.Error(err)
	}
	if seen := d.expect("this\x1b[201~"); string(seen) != string(before)+"\x1b[200~this\x1b[201~" {
		t.Errorf("%q", seen)
	}
}

func TestAMessageIsTypedOnce(t *testing.T) {
	d, p := startMirror(t, pastes)
	for range 3 {
		if err := p.PasteOnce(t.Context(), "m1", "once"); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.PasteOnce(t.Context(), "m2", "then this"); err != nil {
		t.Fatal(err)
	}
	seen := d.expect("then this\x1b[201~")
	if n := bytes.Count(seen, []byte("once")); n != 1 {
		t.Errorf("typed %d times: %q", n, seen)
	}
}

func TestAProgramThatDoesNotTakePastes(t *testing.T) {
	_, p := startMirror(t, "")
	if err := p.Paste(t.Context(), "rm -rf /"); !errors.Is(err, NoPaste) {
		t.Errorf("%v", err)
	}
}

// The person types on and on while the hub wants to: it waits for a break, and
// no key of the person lands inside of what it pastes.
func TestThePersonIsNotInterrupted(t *testing.T) {
	d, _ := startMirror(t, pastes)
	d.types("a")
	before := d.expect("READY\na")
	p, told := Dial(d.socket()), make(chan error, 1)
	go func() { told <- p.Paste(t.Context(), strings.Repeat("NOD", 1000)) }()
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for range 20 {
		<-tick.C
		d.types("a")
	}
	if err := <-told; err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("a", 20) + "\x1b[200~" + strings.Repeat("NOD", 1000) + "\x1b[201~"
	after := d.expect("\x1b[201~")[len(before):]
	if string(after) != want {
		t.Errorf("%q", after)
	}
	// What is typed now is in the box with the text: Enter would send off both.
	d.types("b")
	d.expect("\x1b[201~b")
	if err := p.SendKeys(t.Context(), "enter"); !errors.Is(err, Typed) {
		t.Errorf("%v", err)
	}
	// Asked for by itself the key is pressed.
	if err := p.SendKeys(t.Context(), "enter"); err != nil {
		t.Error(err)
	}
}

func TestAMouseIsNoTyping(t *testing.T) {
	d, p := startMirror(t, pastes)
	if err := p.Paste(t.Context(), "text"); err != nil {
		t.Fatal(err)
	}
	d.expect("text\x1b[201~")
	d.types("\x1b[<35;10;4M\x1b[I\x1b[?62;4c\x1b]11;rgb:0/0/0\x1b\\")
	d.expect("rgb:0/0/0\x1b\\")
	if err := p.SendKeys(t.Context(), "enter"); err != nil {
		t.Error(err)
	}
}

func TestTheProgramMayNotAnswerItself(t *testing.T) {
	d := startWrapped(t, self(t, "dial")...)
	d.expect("refused: " + Stranger.asError().Error())
}

func TestAnotherUserMayNot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start a process as another user")
	}
	d, _ := startMirror(t, pastes)
	dial := func() string {
		cmd := exec.Command("/proc/self/exe", roleArg, "dial to", d.socket())
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	for path, want := range map[string]os.FileMode{SocketDir(d.data): 0o700 | os.ModeDir, d.socket(): 0o600 | os.ModeSocket} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if out := dial(); !strings.Contains(out, "permission denied") {
		t.Errorf("the files are open: %s", out)
	}
	for _, path := range []string{d.data, SocketDir(d.data), d.socket()} { // for a user who gets past them
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if out := dial(); !strings.Contains(out, Stranger.Error()) {
		t.Errorf("another user was let in: %s", out)
	}
}

func TestTwoAtOnce(t *testing.T) {
	one, _ := startMirror(t, pastes)
	two := startInTerminal(t, self(t, "wrapper", append([]string{one.data}, self(t, "mirror", pastes)...)...)...)
	two.data = one.data
	one.expect("READY\n")
	two.expect("READY\n")
	for i, d := range []*fakeTerminal{one, two} {
		if err := Dial(d.socket()).Paste(t.Context(), []string{"for one", "for two"}[i]); err != nil {
			t.Fatal(err)
		}
	}
	if seen := one.expect("for one"); bytes.Contains(seen, []byte("for two")) {
		t.Errorf("%q", seen)
	}
	if seen := two.expect("for two"); bytes.Contains(seen, []byte("for one")) {
		t.Errorf("%q", seen)
	}
}

func TestTheStatusIsHeard(t *testing.T) {
	d, p := startMirror(t, pastes)
	if s, err := p.Status(t.Context()); err != nil || s.State != "" {
		t.Errorf("%+v, %v", s, err)
	}
	told := make(chan Status, 8)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan error, 1)
	go func() { over <- p.Follow(ctx, func(s Status) { told <- s }) }()
	if s := <-told; s.State != "" {
		t.Errorf("%+v", s)
	}
	// A mirror says what it is told, also the answer, which looks like a question.
	d.types("\x1b]7501;?\x07")
	d.expect("\x1b]7501;?\x07" + statusAnswer)
	d.types("\x1b]7501;state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNoOiAbWzJK\x07")
	s := <-told
	if s.State != StateBlocked || s.Kind != "permission" || s.App != "claude-code" || !strings.HasPrefix(s.Message, "approve Bash: ") || strings.Contains(s.Message, "\x1b") {
		t.Errorf("%+v", s)
	}
	d.types("\x1b]7501;state=working:id=task-1\x07SEEN") // not about the conversation
	d.expect("task-1\x07SEEN")
	if now, err := p.Status(t.Context()); err != nil || now.State != StateBlocked || !now.Since.Equal(s.Since) {
		t.Errorf("%+v, %v", now, err)
	}
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if seen, _ := d.shown(); bytes.Count(seen, []byte(statusAnswer)) != 1 {
		t.Errorf("it was answered again: %q", seen)
	}
}

func TestTheScreenIsSeen(t *testing.T) {
	d, p := startMirror(t, pastes)
	d.types("\x1b[2J\x1b[3;5H❯ 猫 one\x1b[4;5Htwo\x1b[3;5H")
	d.expect("two\x1b[3;5H")
	look, err := p.Screen(t.Context())
	if err != nil || look.Row != 2 || look.Column != 4 {
		t.Errorf("%+v, %v", look, err)
	}
	if got := strings.TrimRight(look.Text, "\n"); got != "\n\n    ❯ 猫 one\n    two" || look.Rows != 24 || look.Columns != 80 {
		t.Errorf("%+v", look)
	}
}

func TestATerminalThatIsGone(t *testing.T) {
	d := startWrapped(t, "true")
	d.exit()
	err := Dial(d.socket()).SendKeys(t.Context(), "escape")
	if !errors.Is(err, Ended) || nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("%v", err)
	}
}

func TestOnlyOurOwnSockets(t *testing.T) {
	for socket, fine := range map[string]bool{
		"/d/run/12.sock": true, "/d/run/../nod.sock": false, "/d/nod.sock": false, "/d/run/x.sock": false, "/d/run/1.sock/2.sock": false, "": false,
	} {
		if err := CheckSocket("/d", socket); (err == nil) != fine {
			t.Errorf("%s: %v", socket, err)
		}
	}
}

// A key for a moment is not pressed later: what it means may have changed.
func TestAKeyForNowIsNotKeptForLater(t *testing.T) {
	d, p := startMirror(t, pastes)
	d.types("x")
	d.expect("READY\nx")
	if err := p.SendKeysWithin(t.Context(), quietTime/3, "BTab"); !errors.Is(err, Typing) {
		t.Errorf("while the person types: %v", err)
	}
	if err := p.SendKeysWithin(t.Context(), -time.Second, "BTab"); !errors.Is(err, Late) {
		t.Errorf("too late: %v", err)
	}
	if err := p.SendKeysWithin(t.Context(), quietTimeout, "C-b"); err != nil { // it waits for its moment
		t.Fatal(err)
	}
	if seen := d.expect("\x02"); string(seen[len(seen)-2:]) != "x\x02" {
		t.Errorf("%q", seen)
	}
}

func TestTheProgramIsKnown(t *testing.T) {
	_, terminal := startMirror(t, pastes)
	p, err := terminal.Program(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	here, _ := os.Getwd()
	if p.Path != self(t, "mirror")[0] || p.PID <= 1 || p.Start == 0 || p.Host == "" || p.Cwd != here {
		t.Errorf("%+v", p)
	}
	if err := terminal.ForProcess(p.PID).Paste(t.Context(), "hello"); err != nil {
		t.Errorf("it is not the one who reads the keyboard: %v", err)
	}
}
