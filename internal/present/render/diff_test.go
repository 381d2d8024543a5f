package render

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"nod"
)

// plainDiff writes a diff's rows as text: the sign, and the line with what changed in brackets.
func plainDiff(out string) string {
	var b strings.Builder
	for _, row := range rowsOf(out) {
		fmt.Fprintf(&b, "%s|%s\n", row.sign, row.marked)
	}
	return b.String()
}

type diffRow struct{ class, sign, marked, text string }

func rowsOf(out string) []diffRow {
	var rows []diffRow
	var cells []string
	class, text, marked := "", "", ""
	z := html.NewTokenizer(strings.NewReader(out))
	for {
		kind := z.Next()
		tok := z.Token()
		switch {
		case kind == html.ErrorToken:
			return rows
		case kind == html.TextToken:
			text += tok.Data
			marked += tok.Data
		case tok.Data == "tr" && kind == html.StartTagToken:
			class, cells = tok.Attr[0].Val, nil
		case tok.Data == "td" && kind == html.StartTagToken:
			text, marked = "", ""
		case tok.Data == "td":
			cells = append(cells, text)
		case tok.Data == "tr":
			rows = append(rows, diffRow{class, cells[0], marked, text})
		case tok.Data == "del" || tok.Data == "ins":
			marked += map[html.TokenType]string{html.StartTagToken: "[", html.EndTagToken: "]"}[kind]
		}
	}
}

func TestDiff(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "a\n", "a\n", ""},
		{"a new file", "", "a\nb\n", "+|a\n+|b\n"},
		{"a file emptied", "a\n", "", "−|a\n"},
		{"a word", "the old way\n", "the new way\n", "−|the [old] way\n+|the [new] way\n"},
		{"nothing in common", "abc\n", "xyz\n", "−|abc\n+|xyz\n"},
		{"three lines around", ten, strings.Replace(ten, "5\n", "", 1), "|⟨… +1 …⟩\n |2\n |3\n |4\n−|5\n |6\n |7\n |8\n"},
		{"two hunks", ten, strings.Replace(ten, "1\n", "x\n", 1) + "11\n", "−|1\n+|x\n |2\n |3\n |4\n|⟨… +3 …⟩\n |8\n |9\n |10\n+|11\n"},
		{"a last newline", "a", "a\n", " |a\n+|\n"},
		{"hidden characters", "a b\n", "a\u200b b\n", "−|a b\n+|a[⟨ZWSP⟩] b\n"},
		{"tags", "<b>\n", "<i>\n", "−|<[b]>\n+|<[i]>\n"},
	} {
		if got := plainDiff(fragmentDiff("x", c.before, c.after)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestDiffIsColouredAndSaysWhatItSkips(t *testing.T) {
	got := fragmentDiff("x.go", "a\nb\nc\nd\ne\nreturn 1", "a\nb\nc\nd\ne\nreturn 2")
	for _, want := range []string{`<td class="d-text">⟨… +2 …⟩</td>`, `<span class="c-kw">return</span> <ins><span class="c-num">2</span></ins>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestDiffKnowsACommentOverManyLines(t *testing.T) {
	got := fragmentDiff("a.go", "/*\nif x\n*/\n", "/*\nif y\n*/\n")
	if !strings.Contains(got, `<span class="c-com">if </span><ins><span class="c-com">y</span></ins>`) {
		t.Error(got)
	}
}

// Without colours a row still says what it is.
func TestDiffSpeaksWithoutColour(t *testing.T) {
	signs := map[string]string{"d-add": "+", "d-del": "−", "d-ctx": " ", "d-hunk": ""}
	for _, row := range rowsOf(fragmentDiff("x", "a\nb\nc", "a\nx\ny\nc")) {
		if signs[row.class] != row.sign {
			t.Errorf("%q on %s", row.sign, row.class)
		}
	}
}

// applyRows replays a diff on the text it is about, as patch would.
func applyRows(t testing.TB, before []string, rows []diffRow) []string {
	t.Helper()
	var out []string
	at := 0
	for _, row := range rows {
		switch row.class {
		case "d-hunk":
			var skipped int
			if _, err := fmt.Sscanf(row.text, "⟨… +%d …⟩", &skipped); err != nil || at+skipped > len(before) {
				t.Fatalf("%q after line %d: %v", row.text, at, err)
			}
			out, at = append(out, before[at:at+skipped]...), at+skipped
		case "d-add":
			out = append(out, row.text)
		default:
			if at >= len(before) || row.text != before[at] {
				t.Fatalf("line %d is shown as %q", at+1, row.text)
			}
			if row.class == "d-ctx" {
				out = append(out, row.text)
			}
			at++
		}
	}
	return append(out, before[at:]...)
}

func visible(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = nod.Visible(l)
	}
	return out
}

func TestHugeDiffsAreBlocks(t *testing.T) {
	lines := strings.Repeat("same\n", 30_000)
	got := fragmentDiff("a.go", lines+"<old>\n"+lines, lines+"new\n"+lines)
	if text := textOf(got); text != "⟨… +30000 …⟩− <old>\n+ new\n⟨… +30000 …⟩" {
		t.Errorf("%.300q", text)
	}
	judge(t, "huge", got)
	long := strings.Repeat("x", 2<<20)
	if text := textOf(fragmentDiff("a.js", long, long+"y")); text != "− "+long+"\n+ "+long+"y\n" {
		t.Errorf("one long line: %.100q", text)
	}
}

// Texts with nothing in common, or almost: the search gives up in time.
func TestDiffIsNeverSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := func(n, kinds int) string {
		var b strings.Builder
		for range n {
			b.WriteString(strconv.Itoa(r.IntN(kinds)) + "\n")
		}
		return b.String()
	}
	for _, kinds := range []int{2, 10, 1000, 1 << 30} {
		a, b := some(9_000, kinds), some(9_000, kinds)
		rows := rowsOf(fragmentDiff("x", a, b))
		la, lb := bothLines(a, b)
		if !slices.Equal(applyRows(t, la, rows), lb) {
			t.Errorf("%d kinds: wrong", kinds)
		}
		judge(t, "words", fragmentDiff("x.go", strings.ReplaceAll(a, "\n", " "), strings.ReplaceAll(b, "\n", " ")))
	}
	judge(t, "lines of words", fragmentDiff("x", strings.Repeat(strings.Repeat("a b ", 900)+"\n", 130), strings.Repeat(strings.Repeat("b a c", 700)+"\n", 130)))
}
