package policy

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/quick"
)

// outsiders are commands outside the read-only set, in many spellings.
func outsiders() []string {
	return []string{"rm -rf x", "touch y", "r''m z", `\rm q`, "sh -c 'ls'", "tee o", "evil", "./ls", "$X", "curl http://e", "git push", "sort -o a b", "find . -delete", "kubectl delete pod x", "env", "cat ~/.ssh/id_rsa", "sed -i s/a/b/ f", "X=1 ls", "ls > out", "uniq a b", "eval ls", "sudo ls", "git -c a=b log", "xargs rm", "printf -v a b",
		"cat ~+/x", "cat ~-/x", "cat .[[:lower:]]nv", "cat .env?x", "cd '~' && git log", "cd a/../b", "git -C src log", "jq -n '$ ENV'", "awk '{print > $1}' f", "awk '{system($1)}' f", "ps -e -r -x", "uniq a?", "grep -r x .", "git stash -- list", "git show --format=%GG",
		"cat {a,.env}", "cat \"$HOME/.netrc\"", "$HOME", "[[ x -eq 0 ]]", "set -f", "tar -tf h:x", "sed s,a*,b, f", "until cat config; do cd ~/.ssh; done", "for d in a b; do cat config; cd ~/.ssh; done", "find . | xargs wc < l", "diff -N a b", "docker inspect x"}
}

// insiders are commands that are allowed by themselves.
func insiders() []string {
	return []string{"ls", "ls -la", "cat README.md", "git status", "git log -3", "wc -l a.txt", "echo 'a;b'", `echo "x|y"`, "sort f", "grep -n foo bar.txt", "kubectl get pods", "date", "true", "pwd", "head -5 f", "find . -name '*.go'",
		"awk '{print $1}' f", "for f in a b; do cat \"$f\"; done", "[[ -f x ]]", "ls {a,b}", "ls \\\n -l", "ls \"$HOME\"", "echo $?", "set -e", "tar -tf x.tar", "cat src/[[:alpha:]]*.go"}
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
	if form := r.IntN(24); form < len(usualForms) {
		return fmt.Sprintf(usualForms[form], a, b)
	}
	return fmt.Sprintf(oddForms[r.IntN(len(oddForms))], a, b)
}

// usualForms join two programs in every way the grammar has.
var usualForms = []string{
	"%s; %s", "%s && %s", "%s || %s", "%s | %s", "(%s); %s", "{ %s; }; %s", "if %s; then %s; fi", "while %s; do %s; done",
	"%s\n%s", "! %s; %s", "%s 2>/dev/null | %s", "case x in x) %s;; *) %s;; esac", "%s |& %s", "echo $(%s); %s", "time %s; %s",
}

// oddForms join two programs where a parser may not look: behind lines that bash
// joins, behind the end of a here-document that only bash sees, in loops.
var oddForms = []string{
	"echo \"$\\\n(%s\n%s\n)\"", "echo x$\\\n(%s\n%s\n)", "cat <<'E'#;%s;%s\nE\n", "cat <<E\n\\\nE\n%s\n%s\nE\n",
	"cat <<\"E\\\"F\"\nx\nE\"F\n%s\n%s\nE\\\"F\n", "cat <<E\n$\\\n(%s\n%s\n)\nE\n", "cat <<'E'\nx\nE\n%s\n%s",
	"cat <<-E | wc -l\n\tx\n\tE\n%s \\\n; %s", "for x in 1 2; do %s; %s; done", "for x in $(%s); do %s; done", "[[ -f x ]] && { %s; %s; }",
	"%s &\n%s",
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
		// A substitution over two lines runs nearly everywhere, whatever a parser thinks.
		for i := 0; i <= len(line); i += 1 + len(line)/16 {
			if odd := line[:i] + "$\\\n(rm x)" + line[i:]; p.Line(odd, ann()).Verdict == Allow {
				t.Errorf("hides a joined substitution: %q", odd)
			}
		}
		// A loop around it that goes elsewhere makes another line of it.
		if loop := "for d in a b; do " + line + "\ncd /tmp/evil; done"; p.Line(loop, ann()).Verdict == Allow {
			t.Errorf("follows a cd in a loop: %q", loop)
		}
	})
}
