package terminal

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeArg makes this test binary play Claude Code's screen, as the real one behaves only
// under load: it swallows Enters, draws nothing, opens a dialog in the wrong moment. The
// tests with the real one are in e2e.
const fakeArg = "play-a-terminal"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == fakeArg {
		play(os.Args[2], os.Args[3])
		return
	}
	if len(os.Args) > 3 && os.Args[1] == runArg {
		os.Exit(playRun(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// fakeClaude is the program in the terminal.
type fakeClaude struct {
	mode, dir  string
	box        string
	dialog     bool
	enters     int
	modeIndex  int       // in the cycle of permission modes
	background int       // tasks
	runs       bool      // a tool that could go there
	startAt    time.Time // when it will
	row        int       // the cursor in the startup dialog
}

var permissionModes = []string{"⏸ manual mode on", "⏵⏵ accept edits on", "⏸ plan mode on"}

func play(mode, dir string) {
	t := &fakeClaude{mode: mode, dir: dir, runs: mode == "runs a tool" || mode == "never lets go", dialog: mode == "asks" || mode == "startup"}
	t.note("pid", strconv.Itoa(os.Getpid()))
	t.draw()
	keys := make(chan byte)
	go func() {
		in := bufio.NewReader(os.Stdin)
		for {
			b, err := in.ReadByte()
			if err != nil {
				os.Exit(0)
			}
			keys <- b
		}
	}()
	tick := time.NewTicker(10 * time.Millisecond)
	var escape string
	pasting := false
	for {
		select {
		case <-tick.C:
			if _, err := os.Stat(filepath.Join(dir, "close")); err == nil && (t.dialog || t.mode == "says it asks" || t.mode == "no paste yet") {
				t.dialog, t.mode = false, "plain"
				fmt.Print("\x1b]7501;state=idle\x1b\\")
				t.draw()
			}
			if !t.startAt.IsZero() && time.Now().After(t.startAt) {
				t.runs, t.startAt = true, time.Time{}
				t.draw()
			}
			continue
		case b := <-keys:
			if b == 0x1b || escape != "" {
				escape += string(rune(b))
				switch escape {
				case "\x1b[200~":
					pasting, escape = true, ""
				case "\x1b[A", "\x1b[B":
					t.row = int(escape[2] - 'A')
					escape = ""
					t.draw()
				case "\x1b[Z":
					escape = ""
					t.shiftTab()
					t.draw()
				case "\x1b[201~":
					pasting, escape = false, ""
					t.pasted()
					t.draw()
				}
				continue
			}
			if t.key(b, pasting); pasting {
				continue // a paste is drawn in one go, as Claude Code does
			}
		}
		t.draw()
	}
}

func (t *fakeClaude) key(b byte, pasting bool) {
	switch {
	case pasting && b == '\r':
		t.box += "\n"
	case pasting:
		t.box += string([]byte{b})
	case t.dialog && b == '\r' && t.mode == "startup":
		t.trust()
	case t.dialog && b == '\r':
		t.note("approved", "a dialog")
	case b == '\r':
		t.enter()
	case b == 0x15: // Ctrl+U
		t.box = ""
	case b == 0x02: // Ctrl+B
		t.note("ctrl+b", t.mode)
		if t.runs && t.mode != "never lets go" {
			t.runs = false
			t.background++
		}
	}
}

// trust is what Enter does in the startup dialog.
func (t *fakeClaude) trust() {
	if t.row == 0 {
		os.Exit(1)
	}
	t.note("approved", "the folder")
	t.dialog = false
}

func (t *fakeClaude) shiftTab() {
	t.note("shift+tab", t.mode)
	if t.mode != "one mode" && !t.dialog {
		t.modeIndex = (t.modeIndex + 1) % len(permissionModes)
	}
}

// foot is the text below the input box.
func (t *fakeClaude) foot() string {
	foot := "\r\n  " + permissionModes[t.modeIndex]
	if t.background > 0 {
		foot += " · " + strconv.Itoa(t.background) + " shell"
	}
	if t.runs {
		foot += " · esc to interrupt"
	}
	return foot
}

func (t *fakeClaude) pasted() {
	t.note("pasted", t.box)
	if t.mode == "dialog" && !t.dialog && t.enters == 0 {
		t.enters++
		t.dialog, t.box = true, ""
		t.draw()
	}
}

func (t *fakeClaude) enter() {
	t.enters++
	if t.mode == "deaf" || t.mode == "hard of hearing" && t.enters < 3 {
		return
	}
	t.note("prompts", t.box)
	t.box = ""
	if t.mode == "begins late" {
		t.startAt = time.Now().Add(time.Second)
	}
}

func (t *fakeClaude) note(name, text string) {
	f, err := os.OpenFile(filepath.Join(t.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintf(f, "%q\n", text)
		_ = f.Close()
	}
}

func (t *fakeClaude) draw() {
	rule := strings.Repeat("─", 60)
	out := "\x1b[?2004h\x1b[2J\x1b[H"
	if t.mode == "no paste yet" {
		out += "\x1b[?2004l"
	}
	if t.mode == "says it asks" {
		out += "\x1b]7501;state=blocked:kind=permission\x1b\\"
	}
	switch {
	case t.dialog && t.mode == "startup":
		cursor := [2]string{" ", " "}
		cursor[t.row] = "❯"
		out += rule + "\r\n Accessing workspace:\r\n\r\n /home/anna/garden\r\n\r\n " + cursor[0] + " No, exit\r\n " + cursor[1] + " Yes, I trust this folder\r\n\r\n Enter to confirm · Esc to cancel"
	case t.dialog:
		out += rule + "\r\n Bash command\r\n\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Esc to cancel"
	case t.mode == "blind":
		out += rule + "\r\n❯\u00a0\r\n" + rule + "\r\n  ready"
	default:
		if t.runs {
			out += "● Running it\r\n     (ctrl+b ctrl+b (twice) to run in background)\r\n\r\n* Thinking… (3s)\r\n"
		}
		out += rule + "\r\n❯\u00a0" + strings.ReplaceAll(t.box, "\n", "\r\n  ") + "\r\n" + rule + t.foot()
	}
	fmt.Print(out)
}
