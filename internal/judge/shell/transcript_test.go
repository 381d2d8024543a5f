package shell

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata with what Parse says now")

// TestTranscripts reads testdata/*.txt: "$ line" (more lines of it start with
// "> ", or `$q "…"` in Go syntax), then the facts, then a blank line.
func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) == 0 {
		t.Fatal("no transcripts")
	}
	lines := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for block := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n\n") {
			head, source, want := readBlock(t, block)
			if source == "" {
				out.WriteString(head + "\n")
				continue
			}
			lines++
			got := render(Parse(source))
			if got != want && !*update {
				t.Errorf("%s: %s\ngot:\n%swant:\n%s", file, source, got, want)
			}
			out.WriteString(head + got + "\n")
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d lines", lines)
}

func readBlock(t *testing.T, block string) (head, source, want string) {
	for line := range strings.SplitSeq(block, "\n") {
		switch {
		case strings.HasPrefix(line, "$q "):
			s, err := strconv.Unquote(line[3:])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			source += s
		case strings.HasPrefix(line, "$ "):
			source += line[2:]
		case line == ">" || strings.HasPrefix(line, "> "):
			source += "\n" + strings.TrimPrefix(line[1:], " ")
		case strings.HasPrefix(line, "#"):
		default:
			want += line + "\n"
			continue
		}
		head += line + "\n"
	}
	return head, source, want
}
