package shell

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// TestKnownWordsAsBash compares what Parse knows of variables, braces and loops with
// what bash does with them. All that runs is printf.
func TestKnownWordsAsBash(t *testing.T) {
	bash := needBash(t)
	r := rand.New(rand.NewPCG(31, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	compared, known := 0, 0
	for range knownLines {
		words := func() string {
			var b strings.Builder
			for range 1 + r.IntN(4) {
				b.WriteByte(' ')
				for range 1 + r.IntN(2) {
					b.WriteString(pick("a", "$f", "${f}", `"$f"`, "$g", "{a,b}", "c{,d}", "{x,y}.go", "{a}", "$HOME", `"$HOME"`, `"${HOME}/q w"`, "/z", "$PWD", `"$PWD"/y`, "$?", `"s $?"`, "~", "~/", `"~"`, `\~`, "'$f'", `"\$f"`, ":h", "-n", "..", "{1..2}", "{a,{b,c}}"))
				}
			}
			return b.String()
		}
		line := "printf '%s\\0'" + words()
		switch r.IntN(4) {
		case 0:
			line = "for f in a b/c; do printf '%s\\0'" + words() + "; done; " + line
		case 1:
			line = "for f in 1 2; do for g in -x y.z; do printf '%s\\0'" + words() + "; done; printf '%s\\0'" + words() + "; done"
		case 2:
			line = "for f in " + pick("a 'b c'", "{a,b}", "$HOME", "*", "a $f", "\"x\" y", "") + "; do printf '%s\\0'" + words() + "; done"
		}
		said, sure := "", true
		l := Parse(line)
		for _, c := range l.Commands {
			if c.Name.Text != "printf" {
				sure = sure && len(c.Assigns) > 0 && c.Assigns[0].Loop
				continue
			}
			for _, a := range c.Args[1:] {
				switch {
				case a.Place && a.Text[0] == '~' && len(a.Text) > 1 && a.Text[1] != '/':
					sure = false // another user's home
				case a.Place && a.Text[0] == '~':
					a.Text = "/home/ann" + a.Text[1:]
				case a.Place:
					a.Text = "/tmp" + a.Text[1:]
				default:
					sure = sure && a.Literal
				}
				said += a.Text + "\x00"
			}
		}
		if compared++; !sure || l.Problem != "" {
			continue
		}
		known++
		cmd := exec.Command(bash, "-c", line)
		cmd.Env, cmd.Dir = []string{"HOME=/home/ann"}, "/tmp"
		out, err := cmd.Output()
		if err != nil || string(out) != said {
			t.Errorf("%s\nbash %q\nnod  %q %v", line, out, said, err)
		}
	}
	t.Logf("%d of %d lines known", known, compared)
	if known < compared/10 {
		t.Error("the test proves little")
	}
}

const knownLines = 2000
