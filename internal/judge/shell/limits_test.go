package shell

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestHostileInput holds Parse to its limits: it answers whatever the input, and never
// exhausts the machine.
func TestHostileInput(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, maxBytes/len(s)) }
	cases := map[string]string{
		"100 kB":            "echo " + strings.Repeat("a", 100<<10),
		"substitutions":     fill("$("),
		"closed":            strings.Repeat("$(", 4000) + "a" + strings.Repeat(")", 4000),
		"33 deep":           strings.Repeat("$(", 33) + "a" + strings.Repeat(")", 33),
		"33 subshells":      strings.Repeat("( ", 33) + "a" + strings.Repeat(" )", 33),
		"33 wrappers":       strings.Repeat("sudo ", 33) + "ls",
		"4000 wrappers":     fill("sudo ") + "ls",
		"parameters":        strings.Repeat("${a:-", 4000) + strings.Repeat("}", 4000),
		"arithmetic":        "((" + strings.Repeat("(", 4000) + "1" + strings.Repeat(")", 4000) + "))",
		"unary":             "((" + strings.Repeat("- ", 30000) + "1))",
		"negations":         fill("! "),
		"backquotes":        fill("`"),
		"quotes":            fill("\""),
		"dollars":           fill("$"),
		"here-documents":    "cat " + strings.Repeat("<<E ", 10000),
		"here-documents 2":  "cat " + strings.Repeat("<<E ", 2000) + "\n" + strings.Repeat("E\n", 2000),
		"ifs":               fill("if "),
		"whiles":            fill("while "),
		"braces":            fill("{ "),
		"closed braces":     strings.Repeat("{ ", 4000) + "a" + strings.Repeat("; }", 4000),
		"tests":             "[[ " + strings.Repeat("( ", 4000) + "a" + strings.Repeat(" )", 4000) + " ]]",
		"test nots":         "[[ " + strings.Repeat("! ", 30000) + "a ]]",
		"many commands":     fill("a;"),
		"long list":         fill("a&&") + "a",
		"long pipe":         fill("a|") + "a",
		"assigns":           fill("a= ") + "x",
		"many times many":   strings.Repeat("a= ", 8000) + "bash -c '" + strings.Repeat("b= c;", 7000) + "'",
		"finds":             "find " + fill("-exec a ; "),
		"tabs":              "cat <<-E\n" + strings.Repeat("\t", 60000) + "\nE",
		"evals":             strings.Repeat("eval ", 12000) + "x",
		"env -S":            strings.Repeat("env -S ", 9000),
		"time":              fill("time "),
		"coproc":            fill("coproc "),
		"functions":         fill("f() "),
		"function keyword":  fill("function f "),
		"case":              fill("case a in a) "),
		"process":           fill("<("),
		"dash c":            fill("bash -c "),
		"extended patterns": fill("@("),
		"array":             "a=(" + fill("[0]=1 ")[:60000] + ")",
	}
	for name, source := range cases {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			line := Parse(source)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			mb := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%s, %d MB, %d commands, %q", took.Round(time.Microsecond), mb, len(line.Commands), line.Problem)
			if mb > 200 { // what takes memory takes time; time itself is for the benchmarks
				t.Error("too expensive")
			}
			if strings.HasPrefix(name, "33") && line.Problem != "nested too deep" {
				t.Error(line.Problem)
			}
		})
	}
}

func TestLongLinesAreRead(t *testing.T) {
	source := strings.Repeat("echo aaaaaaaaaaaaa; ", 500) // 10 kB
	if l := Parse(source); l.Problem != "" || len(l.Commands) != 500 {
		t.Errorf("%q, %d commands", l.Problem, len(l.Commands))
	}
	if l := Parse(strings.Repeat("a", maxBytes+1)); l.Problem != "too long" {
		t.Error(l.Problem)
	}
}

func TestParseIsConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if l := Parse("sudo ls $(rm x) | cat"); len(l.Commands) != 3 {
					t.Error(render(l))
				}
			}
		})
	}
	wg.Wait()
}

func FuzzParse(f *testing.F) {
	for _, s := range benchLines {
		f.Add(s)
	}
	f.Add("cat <<E\n${x:-'}\nE\n")
	f.Add("x=([a]=$(b)) let y=1&c")
	f.Fuzz(func(t *testing.T, source string) {
		l := Parse(source)
		for _, c := range l.Commands {
			if c.PipeTo >= len(l.Commands) {
				t.Error("pipe to nowhere")
			}
			if l.Problem == "" && (c.Span.From > c.Span.To || c.Span.To > len(source)) {
				t.Errorf("span %v of %q", c.Span, source)
			}
		}
		if strings.HasPrefix(l.Problem, "parser failed") {
			t.Error(l.Problem)
		}
	})
}

var benchLines = []string{
	"ls -la",
	"git status && git diff --stat",
	"cd /work && go test ./... 2>&1 | tail -20",
	"for f in $(find . -name '*.go'); do gofmt -l \"$f\"; done",
	"sudo timeout 5 bash -lc 'ls | wc -l; rm x'",
	"git commit -m \"$(cat <<'EOF'\nFix\n\nIt's done.\nEOF\n)\"",
	"find . -name x -exec sh -c 'rm \"$1\"' _ {} \\; | xargs -n1 -I{} echo {}",
}

func BenchmarkParse(b *testing.B) {
	for _, line := range benchLines {
		b.Run(strings.Fields(line)[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(line)
			}
		})
	}
}
