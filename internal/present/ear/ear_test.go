package ear

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nod/internal/present/words"
)

var english, polish, japanese = In(words.In(words.English)), In(words.In(words.Polish)), In(words.In(words.Japanese))

func TestMarkdownIsReadAsSentences(t *testing.T) {
	for _, tt := range []struct {
		s              Speaker
		markdown, said string
	}{
		{english, "", ""},
		{english, "All done", "All done."},
		{english, "**All** _done_ ~~now~~!", "All done now!"},
		{english, "# Result\n\nIt works.", "Result. It works."},
		{english, "- first\n- second: `x`\n* [x] third", "first. second: x. third."},
		{english, "1. first\n2. second", "1: first. 2: second."},
		{english, "Two lines\nof one paragraph", "Two lines of one paragraph."},
		{english, "Look:\n```go\nfunc main() {\n}\n```\nThat is all.", "Look. Code, 2 lines. That is all."},
		{english, "```\nnever closed", "Code, 1 line."},
		{english, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "A table, 2 rows."},
		{english, "> quoted\n\n---\n\nand on", "quoted. and on."},
		{english, "See [the guide](https://example.org/a?b=c).", "See the guide."},
		{english, "See https://user:pw@www.example.org:8080/a/b?c=d#e now", "See a link to example.org now."},
		{english, "![a picture](x.png) here", "a picture here."},
		{english, "Edit `/home/anna/code/nod/internal/hub/desk.go:42`, then go", "Edit desk.go in hub, line 42, then go."},
		{english, "internal/hub/desk.go and/or 2026/11/15", "desk.go in hub and/or 2026/11/15."},
		{english, `C:\Users\anna\notes.txt`, "notes.txt in anna."},
		{english, "commit 3f9a0c5 of 123e4567-e89b-12d3-a456-426614174000", "commit an id of an id."},
		{english, "45% in 350ms, 3-5 files, v1.2.3, 10MB", "45 percent in 350 milliseconds, 3 to 5 files, version 1.2.3, 10 megabytes."},
		{english, "12345678 rows", "about 12.3 million rows."},
		{english, "snake_case_name = value", "snake case name value."},
		{english, "\x1b[31mred\x1b[0m \x1b]0;title\aand ✅ 🎉 plain\u202e\u200b", "red and plain."},
		{english, "Run `rm -rf build && make -j4 > log.txt`.", "Run rm, recursive, force, build, then make, jobs 4, written to log.txt."},
		{polish, "Gotowe: 5% w 3s, /a/b/c.go", "Gotowe: 5 procent w 3 sekundy, c.go w b."},
		{english, "It is 21.5°C, 40 % and -3 °C; 1°C more", "It is 21.5 degrees, 40 percent and minus 3 degrees; 1 degree more."},
		{english, "1.5kWh for $20, at 30 km/h in 2 m", "1.5 kilowatt hours for 20 dollars, at 30 kilometres per hour in 2 m."},
		{polish, "Jest **21.5°C**, a nie 22 °C (5 zł).", "Jest 21,5 stopnia, a nie 22 stopnie (5 złotych)."},
		{japanese, "今は 21.5°C です", "今は 21.5 度 です。"},
		{Abroad(), "Es sind 21,5 °C und 5MB, 40%", "Es sind 21,5°C und 5MB, 40%."},
		{polish, "12345678", "około 12,3 miliona."},
		{japanese, "完了しました", "完了しました。"},
		{japanese, "12345678 行", "約 1234 万 行。"},
		{japanese, "/a/b/c.go を開く", "b の c.go を開く。"},
	} {
		if got := tt.s.Text(tt.markdown); got != tt.said {
			t.Errorf("%q\nis read %q\nwant    %q", tt.markdown, got, tt.said)
		}
	}
}

func TestCommandsAreReadAsPeopleDo(t *testing.T) {
	for _, tt := range []struct {
		s          Speaker
		line, said string
	}{
		{english, "kubectl get nodes", "kubectl get nodes"},
		{english, "kubectl apply -f manifest.yaml", "kubectl apply, file manifest.yaml"},
		{polish, "kubectl apply -f manifest.yaml", "kubectl apply, plik manifest.yaml"},
		{japanese, "kubectl apply -f manifest.yaml", "kubectl apply、ファイル manifest.yaml"},
		{english, "kubectl -n prod delete pod web", "kubectl, namespace prod, delete pod web"},
		{english, "find . -name x -delete", "find, name x, delete"},
		{polish, "find . -name x -delete", "find, nazwa x, usuń"},
		{japanese, "find . -name x -delete", "find、名前 x、削除"},
		{english, "rm -rf build", "rm, recursive, force, build"},
		{english, "sudo rm -r /", "sudo rm, recursive, the whole disk"},
		{english, "rm -f *", "rm, force, all files"},
		{english, "rm logs/*.log *.tmp src/*", "rm all log files in logs all tmp files all files in src"},
		{english, "git commit -am 'fix it'", "git commit, all, message fix it"},
		{english, "git push --force origin main", "git push, force, origin main"},
		{english, "git push --force-with-lease", "git push, force with lease"},
		{english, "docker run --rm -it -p 8080:80 nginx", "docker run, removed afterwards, interactive, port 8080:80, nginx"},
		{english, "tar -xzf a.tgz -C out", "tar, extract, compressed, file a.tgz, in folder out"},
		{english, "go test -run TestX -count=1 ./...", "go test, run TestX, count 1, this folder"},
		{english, "make -j4 && ls -la | grep -i x", "make, jobs 4, then ls, long, all, passed to grep, any case, x"},
		{english, "kill -9 4242", "kill, signal 9, 4242"},
		{english, "foo -q -z -xw build", "foo, quiet, option z, 2 options, build"},
		{polish, "foo -xw", "foo, 2 opcje"},
		{english, "npm test", "npm test"},
		{english, "apt-get install -y jq", "apt-get install, without asking, jq"},
		{english, "FOO=1 make", "FOO 1 make"},
	} {
		if got := tt.s.Command(tt.line); got != tt.said {
			t.Errorf("%q\nis read %q\nwant    %q", tt.line, got, tt.said)
		}
	}
	for line, audible := range map[string]bool{"rm -rf x": true, "foo -z": true, "foo -xw": false, "find . -delete": true, "ls -laxw": false, "make -print": true} {
		if english.Audible(line) != audible {
			t.Errorf("%q is audible: %v", line, !audible)
		}
	}
}

func TestLongCommandIsReadToItsEnd(t *testing.T) {
	line := "echo " + strings.Repeat("word ", 60) + "; rm -rf /home/anna/code"
	got := english.Command(line)
	for _, want := range []string{"more words, ending in", "rm, recursive, force, code in anna"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if n := len(strings.Fields(got)); n > 50 {
		t.Errorf("%d words: %s", n, got)
	}
}

func TestShortenedTextSaysSo(t *testing.T) {
	long := strings.Repeat("This is one sentence. ", 50)
	got := english.Brief(long, 100)
	if !strings.HasSuffix(got, "sentence. There is more.") || utf8.RuneCountInString(got) > 120 {
		t.Errorf("%q", got)
	}
	if got := english.Brief("Short.", 100); got != "Short." {
		t.Errorf("%q", got)
	}
	if got := english.Brief(strings.Repeat("word ", 100), 60); !strings.HasSuffix(got, "word There is more.") {
		t.Errorf("without an end: %q", got)
	}
}

func FuzzSpeak(f *testing.F) {
	for _, seed := range []string{"# a\n- `b`", "[a](b) ![c](d) <http://e>", "| a |\n|--|", "```\nx", "rm -rf /; :(){ :|:& };:", "\x1b[1m\x9b\x1b]0;x", "1.2.3 4-5 6% 7ms", "完了。/a/b", "`" + "``", "[`x](y)`", "a://A$ b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []Speaker{english, polish, japanese} {
			for name, got := range map[string]string{"text": s.Text(text), "brief": s.Brief(text, 80), "command": s.Command(text)} {
				check(t, name, got)
			}
		}
	})
}

// check: one line of proper text, with nothing in it that a voice would spell.
func check(t *testing.T, name, said string) {
	t.Helper()
	if !utf8.ValidString(said) || said != strings.TrimSpace(said) || strings.Contains(said, "  ") {
		t.Errorf("%s: untidy: %q", name, said)
	}
	if strings.ContainsAny(said, "`*_#|<>[]{}\\~^$@=\n\t\x1b\"") || strings.Contains(said, "://") {
		t.Errorf("%s: marks: %q", name, said)
	}
	for _, r := range said {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			t.Errorf("%s: hidden %U in %q", name, r, said)
		}
	}
}

// Every sentence of nod's own that is spoken is short, polite without saying
// so, and free of what a voice would spell.
func TestSpokenSentencesAreShort(t *testing.T) {
	for name, least := range map[string]int{"voice": 300, "brain": 90, "unit": 140} {
		spokenSentences(t, "../words/"+name+".go", least)
	}
}

func spokenSentences(t *testing.T, name string, least int) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if _, isImport := n.(*ast.ImportSpec); isImport {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, _ := strconv.Unquote(lit.Value)
		seen++
		for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(ends, r) }) {
			if n := len(strings.Fields(sentence)); n >= 12 {
				t.Errorf("%d words: %q", n, sentence)
			}
			if n := utf8.RuneCountInString(sentence); n > 70 {
				t.Errorf("%d characters: %q", n, sentence)
			}
		}
		lower := strings.ToLower(text)
		if strings.ContainsAny(text, "`*_#<>|/") || strings.Contains(lower, "please") || strings.Contains(lower, "proszę") {
			t.Errorf("not for the ear: %q", text)
		}
		return true
	})
	if seen < least {
		t.Errorf("only %d sentences were found in %s", seen, name)
	}
}
