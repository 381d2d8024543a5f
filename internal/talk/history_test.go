package talk

import (
	"strings"
	"testing"

	"nod"
)

// talk makes alternating lines of a person and an assistant.
func talk(texts ...string) []Line {
	var list []Line
	for i, text := range texts {
		list = append(list, Line{Person: i%2 == 0, Text: text})
	}
	return list
}

func TestCompareHistories(t *testing.T) {
	long := talk("one", "Answer one.", "two", "Answer two.", "three", "Answer three.", "four", "Answer four.", "five", "Answer five.")
	for _, tt := range []struct {
		name    string
		history []Line
		told    []Line
		want    match
		extra   int
	}{
		{"nothing is remembered", nil, talk("hello", "Hi."), noMatch, 0},
		{"nothing was said", talk("hello", "Hi."), nil, noMatch, 0},
		{"the same", talk("hello", "Hi."), talk("hello", "Hi."), exact, 0},
		{"white space does not count", talk(" hello\n", "Hi.\n\nBye. "), talk("hello", "Hi. Bye."), exact, 0},
		{"other words", talk("hello", "Ho."), talk("hello", "Hi."), noMatch, 0},
		{"other roles", []Line{{false, "hello"}, {true, "Hi."}}, talk("hello", "Hi."), noMatch, 0},
		{"an answer that was never seen", talk("hello"), talk("hello", "Hi."), noMatch, 0},
		{"a question that was asked again", talk("hello", "Hi."), talk("hello", "Hi.", "more", "More."), noMatch, 0},
		{"a question that had no answer", talk("hello"), talk("hello"), exact, 0},
		{"words between the steps", talk("look", "Let me look.\n\nDone."), talk("look", "Done."), exact, 0},
		{"an end of a word is no answer", talk("look", "Undone."), talk("look", "done."), noMatch, 0},
		{"somebody stopped it", talk("tell", "Once upon a time there was a"), talk("tell", "Once upon a time there was a queen."), exact, 0},
		{"a letter is no answer", talk("tell", "O"), talk("tell", "Once upon a time there was a queen."), noMatch, 0},
		{"half a question is none", talk("please open the garage do", "Opened."), talk("please open the garage door now", "Opened."), noMatch, 0},
		{"the house answered in between", append(talk("hello", "Hi."), talk("light on", "Turned on the light.")...), talk("hello", "Hi."), mixed, 2},
		{"most of it was somebody else", append(talk("hello", "Hi."), talk("a", "b", "c", "d")...), talk("hello", "Hi."), noMatch, 0},
		{"the beginning was forgotten", long[2:], long, trimmed, 0},
		{"too little is left", long[4:], long, noMatch, 0},
		{"the middle is no end", long[:8], long, noMatch, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, extra := compare(normalized(tt.history), normalized(tt.told))
			if got != tt.want || len(extra) != tt.extra {
				t.Errorf("%d with %v, want %d with %d lines", got, extra, tt.want, tt.extra)
			}
		})
	}
}

func TestLinesOfSkipsToolsAndNotices(t *testing.T) {
	turns := []nod.Turn{ // newest first
		{Role: nod.TurnAgent, Text: "Switched on."},
		{Role: nod.TurnTool, Text: "light.turn_on", Tool: "mcp__house"},
		{Role: nod.TurnAgent, Text: "a thought of its own", Who: &nod.Subagent{ID: "x"}},
		{Role: nod.TurnSystem, Text: "compacted"},
		{Role: nod.TurnPerson, Text: "light  on"},
	}
	got := linesOf(turns)
	if fit, _ := compare(normalized(talk("light on", "Switched on.")), got); fit != exact || len(got) != 2 {
		t.Errorf("%+v", got)
	}
	long := linesOf([]nod.Turn{{Role: nod.TurnAgent, Text: "A long", Cut: 7}, {Role: nod.TurnPerson, Text: "tell"}})
	if fit, _ := compare(normalized(talk("tell", "A long answer.")), long); fit != exact {
		t.Error("what the log has cut is still the same answer")
	}
}

func TestHistoryHashesDiffer(t *testing.T) {
	seen := map[historyHash]int{}
	for i, m := range []historyHash{
		hashHistory("ha", normalized(talk("a", "b"))), hashHistory("ha", normalized(talk("a b"))), hashHistory("ha", normalized(talk("a", "b", "c"))),
		hashHistory("ha", normalized([]Line{{false, "a"}, {true, "b"}})), hashHistory("other", normalized(talk("a", "b"))), hashHistory("ha", nil),
	} {
		if before, ok := seen[m]; ok {
			t.Errorf("%d and %d are one", before, i)
		}
		seen[m] = i
	}
	if hashHistory("ha", normalized(talk(" a\n", "b"))) != hashHistory("ha", normalized(talk("a", "b"))) {
		t.Error("white space makes a difference")
	}
}

func TestEarlierKeepsTheNewestLines(t *testing.T) {
	if got, want := earlier(talk("hello", " ", "", "Hi."), 100, anything), "The person: hello\nYou: Hi."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got := earlier(talk(strings.Repeat("ż", 90), "Hi."), 50, anything)
	if want := "(What was said before that is left out.)\nYou: Hi."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A program with the complete history always matches its conversation.
func FuzzCompare(f *testing.F) {
	f.Add("one\nAnswer one.\ntwo\nAnswer two.", "one\nAnswer one.")
	f.Add("a\n\nb", "a")
	f.Fuzz(func(t *testing.T, one, other string) {
		history, told := normalized(talk(strings.Split(one, "\n")...)), normalized(talk(strings.Split(other, "\n")...))
		if fit, extra := compare(history, history); len(history) > 0 && (fit != exact || extra != nil) {
			t.Errorf("%q is not itself: %d", one, fit)
		}
		fit, extra := compare(history, told)
		if fit == exact && len(told) != len(history) || fit != mixed && len(extra) > 0 || len(extra) > len(told) {
			t.Errorf("%q and %q: %d with %v", one, other, fit, extra)
		}
	})
}

func anything(Line) bool { return true }
