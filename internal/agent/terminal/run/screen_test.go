package run

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// randomDrawing makes up what a program might send.
func randomDrawing(r *rand.Rand, rows, columns int) string {
	texts := []string{"hello world ", "猫と犬", "e\u0301", "─│╭╮", strings.Repeat("long ", 30), "x", "żółw", "👍"}
	n := func(most int) int { return 1 + r.IntN(most) }
	var b strings.Builder
	alternated := false
	for range 60 {
		switch r.IntN(22) {
		case 0, 1, 2, 3, 4:
			b.WriteString(texts[r.IntN(len(texts))])
		case 5:
			b.WriteString("\r\n")
		case 6:
			b.WriteString([]string{"\b", "\t", "\n", "\r", "\x1bM", "\x1bD", "\x1bE"}[r.IntN(7)])
		case 7, 8:
			fmt.Fprintf(&b, "\x1b[%d;%dH", n(rows), n(columns))
		case 9:
			fmt.Fprintf(&b, "\x1b[%d%c", n(5), "ABCDEF"[r.IntN(6)])
		case 10:
			fmt.Fprintf(&b, "\x1b[%d%c", n(columns), "Gd"[r.IntN(2)])
		case 11:
			fmt.Fprintf(&b, "\x1b[%dK", r.IntN(3))
		case 12:
			fmt.Fprintf(&b, "\x1b[%dJ", r.IntN(2))
		case 13:
			// Outside of what scrolls tmux moves lines too, xterm does not.
			fmt.Fprintf(&b, "\x1b[r\x1b[%d;%dH\x1b[%d%c", n(rows), n(columns), n(4), "LM"[r.IntN(2)])
		case 14:
			fmt.Fprintf(&b, "\x1b[%d%c", n(6), "P@X"[r.IntN(3)])
		case 15:
			fmt.Fprintf(&b, "\x1b[%d%c", n(3), "ST"[r.IntN(2)])
		case 16:
			top := n(rows - 2)
			fmt.Fprintf(&b, "\x1b[%d;%dr", top, top+n(rows-top))
		case 17:
			b.WriteString("\x1b[r")
		case 18:
			if !alternated { // xterm remembers a place for each screen, tmux one for both
				b.WriteString([]string{"\x1b7", "\x1b8", "\x1b[s", "\x1b[u"}[r.IntN(4)])
			}
		case 19:
			alternated = true
			b.WriteString([]string{"\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l", "\x1b[?7l", "\x1b[?7h"}[r.IntN(5)])
		case 20:
			fmt.Fprintf(&b, "\x1b[1;38;2;%d;2;3m", n(255))
		case 21:
			b.WriteString("\x1b]0;a title\x07\x1b[>1u\x1b[?2004h")
		}
	}
	return b.String()
}

// fixedDrawings are drawings of their own: what is joined, what is at the edge.
var fixedDrawings = [...]string{
	"❯ 👩\u200d💻 done\x1b[1;6Hx\r\n👍🏽|\r\ne\u0301|",
	"\x1b[3;79H猫猫\x1b[5;80H猫x\r\n" + strings.Repeat("─", 80) + "\r\nnext",
	strings.Repeat("a line of text\r\n", 40) + "\x1b[24;1H\x1b[2Alast",
	"\x1b[?1049h\x1b[Hsecond\x1b[?1049lfirst\x1b[3bend",
}

// tmux is the judge of what a screen shows.
func TestTheScreenIsWhatTmuxShows(t *testing.T) {
	program, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	const rows, columns, drawings = 24, 80, 60
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	tmux := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, append([]string{"-u", "-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	var model [drawings]*screen
	var sent [drawings]string
	for i := range drawings {
		sent[i] = randomDrawing(rand.New(rand.NewPCG(uint64(i), 5)), rows, columns)
		if i < len(fixedDrawings) {
			sent[i] = fixedDrawings[i]
		}
		model[i] = newScreen(rows, columns, nil)
		model[i].write([]byte(sent[i]))
		file := filepath.Join(dir, fmt.Sprint(i))
		// The title comes last: once tmux has it, it has all the rest.
		if err := os.WriteFile(file, []byte(sent[i]+"\x1b]2;end\x07"), 0o600); err != nil {
			t.Fatal(err)
		}
		script := "stty raw -echo; cat " + file + "; exec sleep 1000"
		if i == 0 {
			tmux("new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), script)
			t.Cleanup(func() { tmux("kill-server") })
		} else {
			tmux("new-window", "-d", script)
		}
	}
	tmux("set-option", "-g", "window-size", "manual")
	deadline, tick := time.After(20*time.Second), time.NewTicker(25*time.Millisecond)
	defer tick.Stop()
	for strings.Count(tmux("list-panes", "-s", "-F", "#{pane_title}"), "end") < drawings {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(tmux("list-panes", "-s", "-F", "#{window_index} #{pane_title}"))
		}
	}
	for i := range drawings {
		window := fmt.Sprintf(":%d", i)
		if size := strings.TrimSpace(tmux("display-message", "-p", "-t", window, "#{pane_height} #{pane_width}")); size != fmt.Sprint(rows, " ", columns) {
			t.Fatalf("tmux's window is %s", size)
		}
		want := trimmed(tmux("capture-pane", "-p", "-t", window))
		if got := trimmed(model[i].text(false)); got != want {
			t.Errorf("drawing %d: %q\nthe model shows\n%s\ntmux shows\n%s", i, sent[i], got, want)
		}
		var row, column int
		if _, err := fmt.Sscan(tmux("display-message", "-p", "-t", window, "#{cursor_y} #{cursor_x}"), &row, &column); err != nil {
			t.Fatal(err)
		}
		column = min(column, columns-1) // tmux has a place behind the edge
		if model[i].row != row || model[i].column != column {
			t.Errorf("drawing %d: the cursor is at %d %d, in tmux at %d %d", i, model[i].row, model[i].column, row, column)
		}
	}
}

func trimmed(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestAScreenSurvivesAnything(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := newScreen(24, 80, func(int, []byte) {})
		for range 200 {
			b := make([]byte, r.IntN(200))
			for i := range b {
				b[i] = byte(r.Uint32())
				if r.IntN(4) == 0 { // close to what means something
					b[i] = "\x1b[?;0123456789HJKLMPX@rSTbhlmABCDIZcu78DEM\x9b"[r.IntN(43)]
				}
			}
			s.write(b)
			if r.IntN(10) == 0 {
				s.resize(r.IntN(40)-2, r.IntN(100)-2)
			}
			s.text(true)
			s.resetSequence()
			if s.row < 0 || s.row >= s.rows || s.column < 0 || s.column >= s.columns || len(s.active) != s.rows || len(s.inactive) != s.rows {
				t.Fatalf("seed %d: the cursor is at %d %d of %d %d", seed, s.row, s.column, s.rows, s.columns)
			}
		}
	}
}

func TestWhatIsFaintOrReversed(t *testing.T) {
	s := newScreen(2, 40, nil)
	s.write([]byte("\x1b[1;38;5;2;48;2;7;7;7ma\x1b[2mb\x1b[38:2::2:7:2;7mc猫\x1b[22md\x1b[27me\x1b[58;5;7;2mf\x1b[mg\r\n\x1b[7m \x1b[0m x"))
	if got, want := s.text(true), "a\x1b[0;2mb\x1b[0;2;7mc猫\x1b[0;7md\x1b[0me\x1b[0;2mf\x1b[0mg\n\x1b[0;7m \x1b[0m x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := s.text(false), "abc猫defg\n  x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
