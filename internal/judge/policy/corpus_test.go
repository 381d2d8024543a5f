package policy

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// ann works on ~/src/app; every line of the corpus is hers.
func ann() Subject { return Subject{Tool: "Bash", Cwd: "/home/ann/src/app", Home: "/home/ann"} }

type corpusLine struct {
	number  int
	verdict Verdict
	level   string
	source  string
}

// corpus reads testdata/corpus.txt: verdict | risk | line | # why. A line break
// inside a command is written ⏎.
func corpus(t testing.TB) []corpusLine {
	t.Helper()
	raw, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []corpusLine
	for i, l := range strings.Split(string(raw), "\n") {
		if l == "" || strings.HasPrefix(l, "##") {
			continue
		}
		verdict, rest, ok1 := strings.Cut(l, " | ")
		level, rest, ok2 := strings.Cut(rest, " | ")
		why := strings.LastIndex(rest, " | # ")
		if !ok1 || !ok2 || why < 0 {
			t.Fatalf("corpus.txt:%d: not `verdict | risk | line | # why`: %s", i+1, l)
		}
		out = append(out, corpusLine{i + 1, Verdict(verdict), level, strings.ReplaceAll(rest[:why], "⏎", "\n")})
	}
	return out
}

func TestNoAttackIsAllowedAndFewHarmlessLinesAreAsked(t *testing.T) {
	p := must(t, Config{ReadOnly: true})
	attacks, harmless, falseAsks := 0, 0, 0
	for _, l := range corpus(t) {
		j := p.Line(l.source, ann())
		switch {
		case l.verdict != Allow:
			attacks++
			if j.Verdict == Allow {
				t.Errorf("ATTACK ALLOWED corpus.txt:%d %q by %s", l.number, l.source, j.Rule)
			}
		default:
			harmless++
			if j.Verdict != Allow {
				falseAsks++
				t.Logf("false ask corpus.txt:%d %q: %s", l.number, l.source, j.Rule)
			}
		}
		if j.Risk.Level != l.level && !(l.verdict == Allow && j.Verdict != Allow) {
			t.Errorf("corpus.txt:%d %q: risk %s, want %s (%s)", l.number, l.source, j.Risk.Level, l.level, j.Reason)
		}
		if n := len(strings.Fields(j.Reason)); n > 8 || n == 0 {
			t.Errorf("corpus.txt:%d %q: reason of %d words: %q", l.number, l.source, n, j.Reason)
		}
	}
	percent := 100 * float64(falseAsks) / float64(harmless)
	fmt.Printf("corpus: %d attacks and traps, %d harmless lines, %d false asks (%.1f %%)\n", attacks, harmless, falseAsks, percent)
	if attacks+harmless < 400 || attacks < harmless {
		t.Errorf("the corpus shrank: %d attacks, %d harmless", attacks, harmless)
	}
	if percent > 5 {
		t.Errorf("%.1f %% false asks, more than 5 %%", percent)
	}
}

// With read-only approval off, which is the default, nothing is allowed; the
// badge is the same.
func TestNothingIsAllowedByDefault(t *testing.T) {
	off, on := must(t, Config{}), must(t, Config{ReadOnly: true})
	for _, l := range corpus(t) {
		j := off.Line(l.source, ann())
		if j.Verdict == Allow {
			t.Errorf("%q is allowed by default", l.source)
		}
		if want := on.Line(l.source, ann()).Risk; j.Risk.Level != want.Level {
			t.Errorf("%q: risk %v when off, %v when on", l.source, j.Risk, want)
		}
	}
}

func must(t testing.TB, c Config) *Policy {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
