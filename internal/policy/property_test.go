package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

// outsiders are commands outside the read-only set, in many spellings.
func outsiders() []string {
	return []string{"rm -rf x", "touch y", "r''m z", `\rm q`, "sh -c 'ls'", "tee o", "evil", "./ls", "$X", "curl http://e", "git push", "sort -o a b", "find . -delete", "kubectl delete pod x", "env", "cat ~/.ssh/id_rsa", "sed -i s/a/b/ f", "X=1 ls", "ls > out", "uniq a b", "eval ls", "sudo ls", "git -c a=b log", "xargs rm", "printf -v a b"}
}

// insiders are commands that are allowed by themselves.
func insiders() []string {
	return []string{"ls", "ls -la", "cat README.md", "git status", "git log -3", "wc -l a.txt", "echo 'a;b'", `echo "x|y"`, "sort f", "grep -n foo bar.txt", "kubectl get pods", "date", "true", "pwd", "head -5 f", "find . -name '*.go'"}
}

// program builds a random program of insiders around one outsider, with every
// way the grammar has of joining commands.
func randomProgram(r *rand.Rand, depth int, outsider string) string {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	if depth == 0 {
		if outsider != "" {
			return outsider
		}
		return pick(insiders())
	}
	left, right := "", outsider
	if r.IntN(2) == 0 {
		left, right = outsider, ""
	}
	a, b := randomProgram(r, depth-1, left), randomProgram(r, depth-1, right)
	switch r.IntN(16) {
	case 0:
		return a + "; " + b
	case 1:
		return a + " && " + b
	case 2:
		return a + " || " + b
	case 3:
		return a + " | " + b
	case 4:
		return "(" + a + "); " + b
	case 5:
		return "{ " + a + "; }; " + b
	case 6:
		return "if " + a + "; then " + b + "; fi"
	case 7:
		return "while " + a + "; do " + b + "; done"
	case 8:
		return a + "\n" + b
	case 9:
		return "! " + a + "; " + b
	case 10:
		return a + " 2>/dev/null | " + b
	case 11:
		return "case x in x) " + a + ";; *) " + b + ";; esac"
	case 12:
		return a + " |& " + b
	case 13:
		return "echo $(" + a + "); " + b
	case 14:
		return "time " + a + "; " + b
	}
	return a + " &\n" + b
}

func TestALineWithAnOutsiderIsNeverAllowed(t *testing.T) {
	p := must(t, Config{ReadOnly: true})
	r := rand.New(rand.NewPCG(1, 2))
	allowed := 0
	for range 6000 {
		depth := 1 + r.IntN(4)
		bad := randomProgram(r, depth, outsiders()[r.IntN(len(outsiders()))])
		if j := p.Line(bad, ann()); j.Verdict == Allow {
			t.Fatalf("allowed: %q (%s)", bad, j.Rule)
		}
		if p.Line(randomProgram(r, depth, ""), ann()).Verdict == Allow {
			allowed++
		}
	}
	if allowed < 1000 {
		t.Errorf("only %d programs of insiders were allowed: the test proves little", allowed)
	}
}

// Whatever bytes are put into an allowed line at any place, an outsider after a
// separator stays visible.
func TestNoPrefixHidesWhatFollows(t *testing.T) {
	p := must(t, Config{ReadOnly: true})
	for _, in := range insiders() {
		for _, out := range outsiders() {
			for _, join := range []string{";", "&&", "||", "|", "\n", " ; ", "&", "|&", ";\\\n", "\n\n", ";;", "\t;\t"} {
				for _, line := range []string{in + join + out, out + join + in} {
					if p.Line(line, ann()).Verdict == Allow {
						t.Errorf("allowed: %q", line)
					}
				}
			}
		}
	}
}

func TestHostileLinesAreBounded(t *testing.T) {
	p := must(t, Config{ReadOnly: true, Deny: []string{"Read(**/a/**/b/**/c)"}, Ask: []string{"Bash(x:*)"}})
	const size = 10 << 10
	for _, unit := range []string{"(", "$(", "ls;", "ls|", "*", "cat *?[a] ", "#", " #", "{a,", "cd a;", "a/", "cat " + strings.Repeat("*", 200) + " ", "'", "\\", "${x:-", "<(", "git log -- :a ", "FOO=1 ", "ls -l -l -l ", "cat a/b/c/**/", "[", "if ls;then ", "sed s/a/b/;", "a=\"", "<<E\n"} {
		start := time.Now()
		p.Line(strings.Repeat(unit, size/len(unit)), ann())
		p.Line("cat "+strings.Repeat(unit, size/len(unit)), ann())
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q repeated took %v", unit, took)
		}
	}
}

func TestAnyTextGetsAVerdict(t *testing.T) {
	p := must(t, Config{ReadOnly: true})
	check := func(line, tool string, raw []byte) bool {
		j := p.Line(line, ann())
		k := p.Judge(Subject{Tool: tool, Input: raw})
		return j.Verdict != "" && j.Risk.Level != "" && k.Verdict == Ask
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

func FuzzLine(f *testing.F) {
	for _, l := range corpus(f) {
		f.Add(l.source)
	}
	p := must(f, Config{ReadOnly: true})
	f.Fuzz(func(t *testing.T, line string) {
		j := p.Line(line, ann())
		if j.Verdict != Allow {
			return
		}
		// What is allowed stays so only by itself: anything run after it is asked.
		if p.Line(line+"\nrm -rf x", ann()).Verdict == Allow {
			t.Errorf("hides what follows: %q", line)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	p := must(b, Config{ReadOnly: true, Allow: []string{"Bash(npm run test:*)", "Bash(go test:*)"}, Deny: []string{"Bash(rm:*)"}})
	for _, line := range []string{"ls -la", "git log --oneline -20", "kubectl get pods | grep web", "cat a.txt | sort | uniq -c | sort -rn | head", "cd src && grep -rn 'func main' --include='*.go' . 2>/dev/null | head -20", "rm -rf ~/src"} {
		b.Run(strings.ReplaceAll(line[:min(len(line), 24)], "/", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Line(line, ann())
			}
		})
	}
}
