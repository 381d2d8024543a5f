package tmux

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

// fakeArg makes this test binary play Claude Code's screen, in ways that the real
// one shows only under load: one that swallows Enters, one that draws nothing, one
// that opens a dialog in the wrong moment. That the real one is spoken to is
// proven in e2e.
const fakeArg = "play-a-terminal"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == fakeArg {
		play(os.Args[2], os.Args[3])
		return
	}
	if len(os.Args) > 3 && os.Args[1] == runArg {
		os.Exit(wrap(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// terminal is the made-up program.
type terminal struct {
	mode, dir string
	box       string
	dialog    bool
	enters    int
}

func play(mode, dir string) {
	t := &terminal{mode: mode, dir: dir}
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
			continue
		case b := <-keys:
			if b == 0x1b || escape != "" {
				escape += string(rune(b))
				switch escape {
				case "\x1b[200~":
					pasting, escape = true, ""
				case "\x1b[201~":
					pasting, escape = false, ""
					t.pasted()
				}
				continue
			}
			t.key(b, pasting)
		}
		t.draw()
	}
}

func (t *terminal) key(b byte, pasting bool) {
	switch {
	case pasting && b == '\r':
		t.box += "\n"
	case pasting:
		t.box += string([]byte{b})
	case t.dialog && b == '\r':
		t.note("approved", "a dialog")
	case b == '\r':
		t.enter()
	case b == 0x15: // Ctrl+U
		t.box = ""
	}
}

func (t *terminal) pasted() {
	t.note("pasted", t.box)
	if t.mode == "dialog" && !t.dialog && t.enters == 0 {
		t.enters++
		t.dialog, t.box = true, ""
		t.draw()
	}
}

func (t *terminal) enter() {
	t.enters++
	if t.mode == "deaf" || t.mode == "hard of hearing" && t.enters < 3 {
		return
	}
	t.note("prompts", t.box)
	t.box = ""
}

func (t *terminal) note(name, text string) {
	f, err := os.OpenFile(filepath.Join(t.dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintf(f, "%q\n", text)
		_ = f.Close()
	}
}

func (t *terminal) draw() {
	rule := strings.Repeat("─", 60)
	out := "\x1b[?2004h\x1b[2J\x1b[H"
	if t.mode == "no paste yet" {
		out += "\x1b[?2004l"
	}
	if t.mode == "says it asks" {
		out += "\x1b]7501;state=blocked:kind=permission\x1b\\"
	}
	switch {
	case t.dialog:
		out += rule + "\r\n Bash command\r\n\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Esc to cancel"
	case t.mode == "blind":
		out += rule + "\r\n❯\u00a0\r\n" + rule + "\r\n  ready"
	default:
		out += rule + "\r\n❯\u00a0" + strings.ReplaceAll(t.box, "\n", "\r\n  ") + "\r\n" + rule + "\r\n  ready"
	}
	fmt.Print(out)
}
