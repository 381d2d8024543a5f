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

// plainDiff writes a diff's rows as text: numbers, sign, [-gone-] {+come+}.
func plainDiff(out string) string {
	var b strings.Builder
	for _, row := range rowsOf(out) {
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", row.old, row.now, row.sign, row.marked)
	}
	return b.String()
}

type diffRow struct{ class, old, now, sign, marked, text string }

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
		case tok.Data == "tr" && len(cells) == 4:
			rows = append(rows, diffRow{class, cells[0], cells[1], cells[2], marked, text})
		case tok.Data == "tr":
			rows = append(rows, diffRow{class, "", "", cells[0], marked, text})
		case tok.Data == "del" || tok.Data == "ins":
			marked += map[html.TokenType]string{html.StartTagToken: "[", html.EndTagToken: "]"}[kind]
		}
	}
}

func TestDiff(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "a\n", "a\n", ""},
		{"a new file", "", "a\nb\n", "|||@@ -0,0 +1,2 @@\n|1|+|a\n|2|+|b\n"},
		{"a file emptied", "a\n", "", "|||@@ -1,1 +0,0 @@\n1||−|a\n"},
		{"a word", "the old way\n", "the new way\n", "|||@@ -1,1 +1,1 @@\n1||−|the [old] way\n|1|+|the [new] way\n"},
		{"nothing in common", "abc\n", "xyz\n", "|||@@ -1,1 +1,1 @@\n1||−|abc\n|1|+|xyz\n"},
		{"three lines around", ten, strings.Replace(ten, "5\n", "", 1), "|||@@ -2,7 +2,6 @@\n2|2| |2\n3|3| |3\n4|4| |4\n5||−|5\n6|5| |6\n7|6| |7\n8|7| |8\n"},
		{"two hunks", ten, strings.Replace(ten, "1\n", "x\n", 1) + "11\n", "|||@@ -1,4 +1,4 @@\n1||−|1\n|1|+|x\n2|2| |2\n3|3| |3\n4|4| |4\n" +
			"|||@@ -8,3 +8,4 @@\n8|8| |8\n9|9| |9\n10|10| |10\n|11|+|11\n"},
		{"a last newline", "a", "a\n", "|||@@ -1,1 +1,2 @@\n1|1| |a\n|2|+|\n"},
		{"hidden characters", "a b\n", "a\u200b b\n", "|||@@ -1,1 +1,1 @@\n1||−|a b\n|1|+|a[⟨ZWSP⟩] b\n"},
		{"tags", "<b>\n", "<i>\n", "|||@@ -1,1 +1,1 @@\n1||−|<[b]>\n|1|+|<[i]>\n"},
	} {
		if got := plainDiff(Diff("x", c.before, c.after)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestDiffOfAFragmentHasNoNumbers(t *testing.T) {
	got := fragmentDiff("x.go", "a\nb\nc\nd\ne\nreturn 1", "a\nb\nc\nd\ne\nreturn 2")
	if strings.Contains(got, "@@") || strings.Contains(got, "d-num") {
		t.Error(got)
	}
	for _, want := range []string{`<td class="d-text">⟨… +2 …⟩</td>`, `<span class="c-kw">return</span> <ins><span class="c-num">2</span></ins>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestDiffKnowsACommentOverManyLines(t *testing.T) {
	got := Diff("a.go", "/*\nif x\n*/\n", "/*\nif y\n*/\n")
	if !strings.Contains(got, `<span class="c-com">if </span><ins><span class="c-com">y</span></ins>`) {
		t.Error(got)
	}
}

// Without colours a row still says what it is.
func TestDiffSpeaksWithoutColour(t *testing.T) {
	signs := map[string]string{"d-add": "+", "d-del": "−", "d-ctx": " ", "d-hunk": ""}
	for _, row := range rowsOf(Diff("x", "a\nb\nc", "a\nx\ny\nc")) {
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
		if row.class == "d-hunk" {
			continue
		}
		if row.old != "" {
			n, err := strconv.Atoi(row.old)
			if err != nil || n-1 < at || n > len(before) {
				t.Fatalf("line %q after %d", row.old, at)
			}
			out = append(out, before[at:n-1]...)
			at = n
			if row.text != before[n-1] {
				t.Fatalf("line %d is %q, shown as %q", n, before[n-1], row.text)
			}
		}
		if row.now == "" {
			continue
		}
		n, err := strconv.Atoi(row.now)
		if err != nil || n-1 < len(out) {
			t.Fatalf("new line %q after %d", row.now, len(out))
		}
		for len(out) < n-1 {
			out, at = append(out, before[at]), at+1
		}
		out = append(out, row.text)
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
	got := Diff("a.go", lines+"<old>\n"+lines, lines+"new\n"+lines)
	if text := textOf(got); text != "⟨… +30000 …⟩− <old>\n+ new\n⟨… +30000 …⟩" {
		t.Errorf("%.300q", text)
	}
	judge(t, "huge", got)
	long := strings.Repeat("x", 2<<20)
	if text := textOf(Diff("a.js", long, long+"y")); text != "− "+long+"\n+ "+long+"y\n" {
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
		rows := rowsOf(Diff("x", a, b))
		la, lb := bothLines(a, b)
		if !slices.Equal(applyRows(t, la, rows), lb) {
			t.Errorf("%d kinds: wrong", kinds)
		}
		judge(t, "words", Diff("x.go", strings.ReplaceAll(a, "\n", " "), strings.ReplaceAll(b, "\n", " ")))
	}
	judge(t, "lines of words", Diff("x", strings.Repeat(strings.Repeat("a b ", 900)+"\n", 130), strings.Repeat(strings.Repeat("b a c", 700)+"\n", 130)))
}
