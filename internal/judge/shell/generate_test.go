package shell

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// generator builds programs from the grammar and remembers every command in
// them. Each one is MARK_n, so that Parse can be asked whether it saw it.
type generator struct {
	*rand.Rand
	marks int
	deep  int
}

func (g *generator) mark() string {
	g.marks++
	return fmt.Sprintf("MARK_%d", g.marks)
}

func (g *generator) pick(options ...func() string) string { return options[g.IntN(len(options))]() }

// program is a list of statements.
func (g *generator) program() string {
	g.deep++
	defer func() { g.deep-- }()
	if g.deep > 5 {
		return g.mark()
	}
	out := g.statement()
	for g.IntN(3) == 0 {
		out += g.one(" ; ", " && ", " || ", " | ", " & ", "\n", " |& ") + g.statement()
	}
	return out
}

func (g *generator) one(options ...string) string { return options[g.IntN(len(options))] }

func (g *generator) statement() string {
	g.deep++
	defer func() { g.deep-- }()
	if g.deep > 6 {
		return g.mark()
	}
	s := g.pick(g.simple, g.simple, g.simple, g.compound, g.wrapped)
	return s
}

func (g *generator) simple() string {
	var b strings.Builder
	for g.IntN(4) == 0 {
		b.WriteString(g.one("A=", "A+=") + g.word() + " ")
	}
	b.WriteString(g.mark())
	for g.IntN(2) == 0 {
		b.WriteString(g.one(" ", " ", " ", " \\\n ") + g.word())
	}
	for g.IntN(4) == 0 {
		b.WriteString(" " + g.redirect())
	}
	return b.String()
}

func (g *generator) redirect() string {
	return g.one(">", ">>", "2>", "<", "&>", ">|", "<<<", "3<>") + " " + g.word()
}

func (g *generator) compound() string {
	p := g.program
	s := g.pick(
		func() string { return "{ " + p() + "\n}" },
		func() string { return "( " + p() + " )" },
		func() string {
			return "if " + p() + "\nthen " + p() + "\nelif " + p() + "\nthen " + p() + "\nelse " + p() + "\nfi"
		},
		func() string { return g.one("while ", "until ") + p() + "\ndo " + p() + "\ndone" },
		func() string { return "for x in " + g.word() + " " + g.word() + "\ndo " + p() + "\ndone" },
		func() string { return "select x in " + g.word() + "\ndo " + p() + "\ndone" },
		func() string { return "for ((i=" + g.arithm() + ";i<" + g.arithm() + ";i++))\ndo " + p() + "\ndone" },
		func() string {
			return "case " + g.word() + " in " + g.word() + ") " + p() + "\n;; *) " + p() + "\n;& x) esac"
		},
		func() string { return "f() { " + p() + "\n}" },
		func() string { return "function f { " + p() + "\n}" },
		func() string { return "coproc { " + p() + "\n}" },
		func() string { return "time " + g.simple() },
		func() string { return "{ ! " + g.simple() + "\n}" },
		func() string { return "[[ " + g.word() + " == " + g.word() + " && -n " + g.word() + " ]]" },
		func() string { return "(( " + g.arithm() + " ))" },
		func() string { return "{ let x=$(" + g.mark() + ")\n}" },
		func() string { return g.one("export", "declare", "local", "readonly") + " X=" + g.word() },
		func() string { return "X=(" + g.word() + " [1]=" + g.word() + ")" },
		func() string { return g.mark() + " <<E\n text " + g.expansion() + "\nE\n" + g.mark() },
		func() string { return g.mark() + g.one(" << 'E'", ` <<"E"`, " <<-E") + "\n E\n $X\n\nE\n" + g.mark() },
		func() string { return "for x in a b" + g.one("", " c/d.e") + "\ndo cd \"$x\"\n" + p() + "\ndone" },
	)
	if strings.HasSuffix(s, "}") || strings.HasSuffix(s, "done") || strings.HasSuffix(s, "fi") {
		if g.IntN(4) == 0 {
			s += " " + g.redirect()
		}
	}
	return s
}

func (g *generator) arithm() string {
	return g.pick(
		func() string { return "1" },
		func() string { return "a[" + g.arithm() + "]" },
		func() string { return "(" + g.arithm() + "+2)" },
		g.substitution,
	)
}

func (g *generator) substitution() string {
	if g.deep > 6 {
		return "$(" + g.mark() + ")"
	}
	if g.IntN(4) == 0 {
		return "`" + g.mark() + " x`"
	}
	return "$( " + g.program() + "\n)"
}

// expansion is what expands inside double quotes and here-documents too.
func (g *generator) expansion() string {
	return g.pick(
		g.substitution,
		func() string { return "${x:-" + g.substitution() + "}" },
		func() string { return "${x/" + g.substitution() + "/y}" },
		func() string { return "${x:" + g.arithm() + ":1}" },
		func() string { return "${a[" + g.arithm() + "]}" },
		func() string { return "$(( " + g.arithm() + " ))" },
		func() string { return "$X" },
	)
}

func (g *generator) word() string {
	if g.deep > 6 {
		return "w"
	}
	var b strings.Builder
	for range 1 + g.IntN(2) {
		b.WriteString(g.pick(
			func() string {
				return g.one("a", "b-c", "x/y", "\\ ", "'$(no)'", "$'\\x41'", "\"\"", "*", "{a,b}", "~", "~+", "~/", "y[[:alpha:]]", "z[!]a]", "$?", "$HOME", "\"$PWD\"", "$x")
			},
			g.expansion,
			func() string { return "\"q " + g.expansion() + "\"" },
			func() string { return g.one("<(", ">(") + " " + g.program() + "\n)" },
		))
	}
	return b.String()
}

func quoteSingle(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// wrapped puts a command behind something that runs it.
func (g *generator) wrapped() string {
	return g.pick(
		func() string {
			return g.one("sudo -u root ", "env A=1 ", "nice -n 5 ", "timeout -s KILL 5 ", "command ", "exec ", "nohup ", "xargs -n 1 ", "stdbuf -oL ", "flock l ") + g.mark()
		},
		func() string { return "find . -name x -exec " + g.mark() + " {} \\; -o -ok " + g.mark() + " {} +" },
		func() string {
			return g.one("bash -c ", "bash -lc ", "eval ", "sudo bash -ec ") + quoteSingle(g.program())
		},
		func() string { return "trap " + quoteSingle(g.program()) + " EXIT" },
	)
}

// TestEveryCommandIsFound is the promise of this package: a command is reported wherever
// it stands.
func TestEveryCommandIsFound(t *testing.T) {
	start := time.Now()
	programs, marks := 0, 0
	for seed := uint64(1); seed <= 20000 && time.Since(start) < 2*time.Second; seed++ {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
		source := g.program()
		line := Parse(source)
		if line.Problem != "" {
			if line.Problem == "too long" || line.Problem == "nested too deep" || line.Problem == "too many assignments" ||
				line.Problem == "joined lines in a here-document" {
				continue
			}
			t.Fatalf("seed %d: %s\n%s", seed, line.Problem, source)
		}
		seen := map[string]bool{}
		for _, c := range line.Commands {
			seen[c.Name.Text] = true
		}
		for n := 1; n <= g.marks; n++ {
			if name := fmt.Sprintf("MARK_%d", n); !seen[name] {
				t.Fatalf("seed %d: %s is missing in\n%s\n%s", seed, name, source, render(line))
			}
		}
		programs, marks = programs+1, marks+g.marks
	}
	t.Logf("%d programs, %d commands in %s", programs, marks, time.Since(start).Round(time.Millisecond))
}

// TestBashAgreesOnSyntax checks that generated programs are bash at all. With -n
// bash only reads.
func TestBashAgreesOnSyntax(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for seed := uint64(1); seed <= 150; seed++ {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 11))}
		source := g.program()
		line := Parse(source)
		cmd := exec.Command(bash, "-n")
		cmd.Stdin = strings.NewReader(source + "\n")
		out, err := cmd.CombinedOutput()
		if (err == nil) != (line.Problem == "") && !strings.HasPrefix(line.Problem, "too") && line.Problem != "nested too deep" && line.Problem != "joined lines in a here-document" {
			t.Errorf("seed %d: bash: %v %s\nnod: %q\n%s", seed, err, out, line.Problem, source)
		}
	}
}
