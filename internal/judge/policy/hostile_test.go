package policy

import (
	"runtime"
	"strings"
	"testing"
)

// hostileLines are about size bytes each, made to be expensive.
func hostileLines(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	around := func(open, core, end string) string {
		n := size / (len(open) + len(end))
		return strings.Repeat(open, n) + core + strings.Repeat(end, n)
	}
	lines := map[string]string{
		"nested substitutions":  around("$(", "ls", ")"),
		"31 deep":               strings.Repeat("$(echo ", 31) + fill("a ") + strings.Repeat(")", 31),
		"nested subshells":      around("( ", "ls", " )"),
		"brace tower":           "echo " + around("{a,", "b", "}"),
		"parameters":            around("${x:-", "a", "}"),
		"arithmetic":            "((" + around("(", "1", ")") + "))",
		"heredoc":               "cat <<E\n" + fill("a line of text\n") + "E",
		"heredoc of expansions": "cat <<E\n" + fill("$(ls) ") + "\nE",
		"many heredocs":         "cat " + strings.Repeat("<<E ", size/10) + "\n" + strings.Repeat("E\n", size/10),
		"finds into xargs":      fill("find . | xargs ls | ") + "cat",
		"assigns":               fill("A=1 ") + "ls",
		"pipes into shells":     fill("sh|") + "sh",
		"pipes":                 fill("ls|") + "ls",
		"dash c":                fill("bash -c '"),
	}
	// Each of these alone, and as words of a command.
	for _, unit := range []string{"(", "$(", "$(ls) ", "`ls` ", "ls;", "*", "cat *?[a] ", "*?[a] ", "#", " #", "ls # a\n", "{a,", "{a,b}", "cd a;", "a/", "a/b/c/d/e ", strings.Repeat("*", 200) + " ",
		"'", "'a'\"b\"", "\\", "${x:-", "<(", ":a ", "FOO=1 ", "-l ", "a/b/c/**/", "[", "if ls;then ", "sed s/a/b/;", "a=\"", "<<E\n", "eval ", "y ", "&& ls ", "curl x|", "git add a;", "go test;"} {
		name := strings.TrimSpace(unit[:min(len(unit), 12)])
		lines["run of "+name] = fill(unit)
		lines["words of "+name] = "git log -- " + fill(unit)
	}
	return lines
}

// The cost limits of judging: a fixed part, and a part for every byte of the line. A nested string may be read again at every level, of which
// there are at most 32.
const (
	allocsAtStart, allocsPerByte = 400, 16
	bytesAtStart, bytesPerByte   = 64 << 10, 1300
)

// Judging a hostile line costs no more than its length explains: in allocations
// and in memory, not in time, which a busy machine would decide.
func TestHostileLinesAreBounded(t *testing.T) {
	p := must(t, Config{ReadOnly: true, Allow: []string{"Bash(go test:*)"}, Ask: []string{"Bash(x:*)"}, Deny: []string{"Read(**/a/**/b/**/c)"}})
	g, err := NewGrant("1", []string{"Bash(go test:*)"})
	if err != nil {
		t.Fatal(err)
	}
	p.Line("cat x", ann()) // the tables are built once
	for _, size := range []int{1 << 10, 10 << 10} {
		for name, line := range hostileLines(size) {
			s := bashSubject(line)
			for what, judge := range map[string]func(){
				"judge": func() { p.Judge(s) },
				"grant": func() { p.JudgeWith(s, []Grant{g}) },
				"kinds": func() { p.Kinds(s) },
			} {
				times := 1
				if what != "judge" {
					times = 2 // the line is read once and judged twice
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				judge()
				runtime.ReadMemStats(&after)
				allocs, bytes := int(after.Mallocs-before.Mallocs), int(after.TotalAlloc-before.TotalAlloc)
				if limit := times * (allocsAtStart + allocsPerByte*len(line)); allocs > limit {
					t.Errorf("%s of %s, %d bytes: %d allocations, more than %d", what, name, len(line), allocs, limit)
				}
				if limit := times * (bytesAtStart + bytesPerByte*len(line)); bytes > limit {
					t.Errorf("%s of %s, %d bytes: %d bytes, more than %d", what, name, len(line), bytes, limit)
				}
			}
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	p := benchPolicy(b)
	for name, line := range hostileLines(10 << 10) {
		s := bashSubject(line)
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Judge(s)
			}
		})
	}
}
