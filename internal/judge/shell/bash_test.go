package shell

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func needBash(t *testing.T, args ...string) string {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	if err := exec.Command(bash, append(args, "-c", ":")...).Run(); err != nil {
		t.Skip("this bash does not know", args)
	}
	return bash
}

// commandNames are the commands of a line, without regard to order.
func commandNames(l Line) string {
	var out []string
	for _, c := range l.Commands {
		if c.Name != (Word{}) {
			out = append(out, c.Name.Text)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// soup is a heap of tokens, close enough to bash to be accepted now and then.
func soup(r *rand.Rand) string {
	tokens := []string{"MARK", "x=1", "let", "x=1&", "|", "||", "&&", "&", ";", "\n", "(", ")", "{", "}", "if", "then", "fi", "else",
		"while", "do", "done", "for i in a", "case a in", "b)", ";;", "esac", "!", "time", "function f", "f()", "[[", "]]", "((", "))",
		"#", "'", "\"", "\\", "$(", "`", "<(", ">", "<", ">&", "&>", "<<E\n", "E\n", "<<<", "${x:-", "${x", "$x", "$", "@(", "!(", "*", "[", "]",
		"-n", "==", "=~", "a", "{a,b}", "=", "+=", "$((", "export", "declare", "x=(", "-", "2", ">|", "|&", "~", "$'", "\\\n", "select i in",
		"$\\\n(", " \\\n", " \\\n#", "<<'E'#;", "<<\"E\" ", "<<E\"\"#;", "<<-\tE\n", "\\\nE\n", "E\\\n", "\nE\n", "''#", "\"\"#", "~+", "[[:alpha:]]", "cd a;"}
	var b strings.Builder
	b.WriteString("MARK ")
	for range 2 + r.IntN(9) {
		b.WriteString(tokens[r.IntN(len(tokens))])
		if r.IntN(3) > 0 {
			b.WriteByte(' ')
		}
		if r.IntN(4) == 0 {
			b.WriteString("MARK ")
		}
	}
	return b.String()
}

// TestBashReadsTheSame lets bash print programs in its own format, which it does without
// running them, and checks that they still contain the same commands. A line that Parse
// refuses does not matter; one that it reads differently is a security hole.
func TestBashReadsTheSame(t *testing.T) {
	bash := needBash(t, "--pretty-print")
	accepted := 0
	for seed := uint64(1); seed <= soups; seed++ {
		source := soup(rand.New(rand.NewPCG(seed, 3)))
		line := Parse(source)
		if line.Problem != "" {
			continue
		}
		cmd := exec.Command(bash, "--pretty-print")
		cmd.Stdin = strings.NewReader(source + "\n")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || stderr.Len() > 0 {
			continue // bash will not run it
		}
		accepted++
		again := Parse(string(out))
		if again.Problem == "" && commandNames(line) != commandNames(again) {
			t.Errorf("seed %d\n%s\nbash prints\n%s\n%s---\n%s", seed, source, out, render(line), render(again))
		}
	}
	t.Logf("%d lines compared", accepted)
}

const soups = uint64(3000)

// TestWordsAsBash compares the removal of quotes with bash, which runs nothing here but
// printf.
func TestWordsAsBash(t *testing.T) {
	bash := needBash(t)
	r := rand.New(rand.NewPCG(5, 5))
	pieces := []string{"a", "b", " ", "\\ ", "\\\\", "'c d'", "''", "\"e f\"", "\"\\$\\`\\\"\\\\\\q\"", "$'\\x41\\102\\u00e9\\n\\t\\'\\\"\\e\\q'",
		"$'\\x4'", "$'\\1011'", "\\\n", "\"x\\\ny\"", "\\$", "#", "=", ":", "@", "%", "^", "{}", "{a}", "a~b", "é", "\\é", "\\*", "'*'", "\"?\"", "!", "]", "$'\\?\\a\\b\\f\\v'", "\"'\"", "'\"'"}
	for range 300 {
		var b strings.Builder
		b.WriteString("printf '%s\\0' start")
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		line := Parse(b.String())
		if line.Problem == "a line joined inside a word" {
			continue
		}
		if line.Problem != "" || len(line.Commands) != 1 {
			t.Fatalf("%q: %s", b.String(), render(line))
		}
		want := ""
		sure := true
		for _, a := range line.Commands[0].Args[1:] {
			want += a.Text + "\x00"
			sure = sure && a.Literal
		}
		if !sure {
			continue
		}
		cmd := exec.Command(bash, "-c", b.String())
		cmd.Env = []string{"LC_ALL=C.UTF-8"}
		out, err := cmd.Output()
		if err != nil || string(out) != want {
			t.Errorf("%s\nbash %q\nnod  %q %v", b.String(), out, want, err)
		}
	}
}

// TestHiddenInQuotes checks that Parse sees every substitution among many quotes that
// bash runs. All that can run is printf.
func TestHiddenInQuotes(t *testing.T) {
	bash := needBash(t)
	r := rand.New(rand.NewPCG(9, 9))
	pieces := []string{"'", "\"", "\\", "${x:-", "}", "${x#", "$'", "`", "a", "$(printf HIT >&2)", "$(printf HIT >&2)", "$((", "))", "\"${x:-", "}\"", " ", "#", "\n", "\\`", "\\\\\\`", "`printf ''", "$\"", "${x/",
		"\\\n", " \\\n", "$\\\n(printf HIT >&2)", "\"$\\\n(printf HIT >&2)\"", "\"$", "\\\n(printf HIT >&2)\"", "$\\\n{x:-", "(printf HIT >&2)", "$", "''#", "<<E\n", "\nE\n"}
	ran := 0
	for range quoteHeaps {
		var b strings.Builder
		b.WriteString("printf '' ")
		for range 2 + r.IntN(7) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		line := Parse(b.String())
		if line.Problem != "" {
			continue
		}
		seen := strings.Count(fmt.Sprint(line.Commands), "HIT")
		names := strings.Count(commandNames(line), "printf") - 1
		only := strings.Trim(commandNames(line), "printf ") == ""
		if !only {
			continue // never run what is not printf
		}
		cmd := exec.Command(bash, "-r", "-c", b.String())
		cmd.Env = []string{"PATH=/nonexistent"}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		ran++
		if hits := strings.Count(stderr.String(), "HIT"); hits > names && !strings.Contains(stderr.String(), "bash:") {
			t.Errorf("%q: bash ran %d, nod saw %d (%d)\n%s", b.String(), hits, names, seen, render(line))
		}
	}
	t.Logf("%d lines compared", ran)
}

const quoteHeaps = 3000

// TestHiddenInDocuments checks that Parse sees everything that bash runs in a number of
// here-documents. Where the two see the end of a document in different places, text for
// one is a command for the other. All that can run is printf.
func TestHiddenInDocuments(t *testing.T) {
	bash := needBash(t)
	r := rand.New(rand.NewPCG(21, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	ran, hits := 0, 0
	for range documentHeaps {
		var b strings.Builder
		b.WriteString("printf '' ")
		for range 1 + r.IntN(2) {
			b.WriteString(pick("<<", "<<-", "<< ") + pick("E", "E", "'E'", `"E"`, `\E`, `E""`, "E''", `"E\"F"`, `"E\$F"`, `"E\\F"`, "$E", "$'E'", "''", "EF", "E-F", "E\\\nF"))
			b.WriteString(pick("", "", "", "", " ", " ", "#", "#;printf HIT >&2", ";printf HIT >&2", " | printf ''", " 'x", " \\\n ", " #x", " $(", "&"))
		}
		b.WriteByte('\n')
		for range 1 + r.IntN(5) {
			b.WriteString(pick("E", "E", "EF", `E"F`, "E$F", `E\F`, `E\"F`, "$E", "", "\tE", " E", "E ", "\\", " \\", "E\\", "x\\", "printf HIT >&2", "printf HIT >&2", "printf HIT >&2", "", ":", "$\\\n(printf HIT >&2)", "$(printf HIT >&2)", "'", ")", "F") + "\n")
		}
		b.WriteString(pick("E\n", "E\n", "E\n:\nE\n", "EF\n"))
		line := Parse(b.String())
		if line.Problem != "" || strings.Trim(commandNames(line), "printf: ") != "" {
			continue // never run what is not printf
		}
		cmd := exec.Command(bash, "-r", "-c", b.String())
		cmd.Env = []string{"PATH=/nonexistent"}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		ran++
		did, saw := strings.Count(stderr.String(), "HIT")-strings.Count(stderr.String(), "HIT:"), 0
		for _, c := range line.Commands {
			for _, a := range c.Args {
				saw += strings.Count(a.Text, "HIT")
			}
		}
		hits += did
		if did > saw {
			t.Errorf("%q: bash ran %d, nod saw %d\n%s%s", b.String(), did, saw, render(line), stderr.String())
		}
	}
	t.Logf("%d documents compared, %d commands in them ran", ran, hits)
}

const documentHeaps = 6000
