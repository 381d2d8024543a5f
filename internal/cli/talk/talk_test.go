package talk

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

func TestAnswersBreakAtWords(t *testing.T) {
	for _, tt := range []struct {
		columns    int
		text, want string
	}{
		{10, "one two three four", "one two \nthree four"},
		{10, "日本語のながい文です", "日本語のな\nがい文です"},
		{10, "a https://example.com/long b", "a \nhttps://example.com/long b"},
		{10, "x\n```\nkubectl get nodes -o wide\n```\nand so it goes", "x\n```\nkubectl get nodes -o wide\n```\nand so it\ngoes"},
		{80, "a | b                              | c\n", "a | b                              | c\n"},
		{80, "żółw\u00a0idzie", "żółw idzie"},
		{80, "evil\x1b[2J\u202e", "evil⟨ESC⟩[2J⟨RLO⟩"},
		{80, "two\r\nlines", "two\nlines"},
	} {
		for _, size := range []int{1, 3, 1000} { // however it comes
			var b strings.Builder
			f := &wordWrapper{out: &b, columns: tt.columns}
			if strings.Contains(tt.text, "\r") && size == 1 {
				continue // a line's end in two pieces is drawn as what it is
			}
			for rest := []rune(tt.text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				f.write(string(rest[:min(size, len(rest))]))
			}
			f.flush()
			if b.String() != tt.want {
				t.Errorf("%q in pieces of %d: %q, want %q", tt.text, size, b.String(), tt.want)
			}
		}
	}
}

func TestWhatADraftLacks(t *testing.T) {
	for _, tt := range []struct {
		drawn, whole, rest string
		anew               bool
	}{
		{"", "It is on.", "It is on.", false},
		{"It is ", "It is on.", "on.", false},
		{"It is on.\n", "It is on.", "", false},
		{"Let me look.\n\nIt is ", "It is on.", "on.", false},
		{"Something else", "It is on.", "It is on.", true},
		{"\n\nIt", "It is on.\n", " is on.", false},
	} {
		if rest, anew := missing(tt.drawn, tt.whole); rest != tt.rest || anew != tt.anew {
			t.Errorf("%q of %q: %q %t", tt.drawn, tt.whole, rest, anew)
		}
	}
}

// A draft may come again from its beginning, or be another one.
func TestPiecesAreDrawnOnce(t *testing.T) {
	var b strings.Builder
	s := &screen{out: &b, err: io.Discard, wrapper: &wordWrapper{out: &b, columns: 60}}
	for _, d := range []nod.Draft{
		{Text: "One "}, {At: 4, Text: "two "}, {Text: "One two "}, {Text: "One two three "}, {At: 99, Text: "lost"}, {At: 4, Text: "two "},
		{Over: true}, {Text: "Another "}, {At: 8, Text: "one "},
	} {
		s.draft(d)
	}
	s.answer("Another one is whole.")
	if got := b.String(); got != "One two three \nAnother one is whole.\n" {
		t.Errorf("%q", got)
	}
}

// typedKeys is a line while it is being typed.
func typedKeys(t *testing.T, history []string, keys ...string) *lineEditor {
	t.Helper()
	at := clitest.Noon
	m := newLineEditor(promptSign, history)
	m.now, m.acceptFrom = func() time.Time { return at }, at
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 20})
	named := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "esc": {Code: tea.KeyEscape},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+j": {Code: 'j', Mod: tea.ModCtrl},
	}
	for _, k := range keys {
		if msg, ok := named[k]; ok {
			m.Update(msg)
			continue
		}
		if pasted, ok := strings.CutPrefix(k, "paste:"); ok {
			m.Update(tea.PasteMsg{Content: pasted})
			continue
		}
		for _, r := range k {
			m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return m
}

func TestTypingALine(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
		err  error
		over bool
	}{
		{"plain", []string{"cześć", "enter"}, "cześć", nil, true},
		{"two lines", []string{"a", "ctrl+j", "b", "enter"}, "a\nb", nil, true},
		{"a pasted text is one message", []string{"x ", "paste:one\r\ntwo\r\n", "enter"}, "x one\ntwo", nil, true},
		{"the last line again", []string{"up", "enter"}, "second", nil, true},
		{"the one before", []string{"up", "up", "up", "enter"}, "first", nil, true},
		{"and back to what was begun", []string{"new", "up", "up", "down", "down", "down", "enter"}, "new", nil, true},
		{"esc empties it", []string{"oops", "esc", "ok", "enter"}, "ok", nil, true},
		{"ctrl+c", []string{"x", "ctrl+c"}, "x", errInterrupted, true},
		{"ctrl+d ends", []string{"ctrl+d"}, "", io.EOF, true},
		{"but not in the middle", []string{"x", "ctrl+d"}, "x", nil, false},
	} {
		m := typedKeys(t, []string{"first", "second"}, tt.keys...)
		if m.line.String() != tt.want || !errors.Is(m.err, tt.err) || m.over != tt.over {
			t.Errorf("%s: %q, %v, %t", tt.name, m.line.String(), m.err, m.over)
		}
	}
}

// Text typed before a question was readable is not an answer to it.
func TestKeysThatWereMeantForSomethingElse(t *testing.T) {
	m := newLineEditor(promptSign, nil)
	at := clitest.Noon
	m.now, m.acceptFrom = func() time.Time { return at }, at.Add(term.KeyGuard)
	m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	m.Update(tea.PasteMsg{Content: "a"})
	if m.over || m.line.String() != "" {
		t.Errorf("%q was taken", m.line.String())
	}
	at = at.Add(term.KeyGuard)
	m.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	if _, cmd := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); cmd == nil || m.line.String() != "a" {
		t.Errorf("%q afterwards", m.line.String())
	}
}

func TestATypedLineIsDrawnInItsWidth(t *testing.T) {
	m := typedKeys(t, nil, strings.Repeat("日本語 ", 30))
	for l := range strings.SplitSeq(m.View().Content, "\n") {
		if lipgloss.Width(l) > 60 {
			t.Errorf("%d cells: %q", lipgloss.Width(l), l)
		}
	}
}

func TestGoldenTalk(t *testing.T) {
	plan := clitest.PlanRequest()
	until := clitest.Noon.Add(42 * time.Second)
	plan.ExpiresAt = &until
	clitest.Golden(t, func(lang words.Printer, columns int, check func(name, got string)) {
		p := show.Page{Layout: term.Layout{Printer: lang, Columns: columns, Terminal: true, Now: clitest.Noon.Add(12 * time.Second)}}
		var b strings.Builder
		for _, r := range []*nod.Request{clitest.GoTestRequest(), clitest.PushRequest(), clitest.AskRequest(), plan, clitest.EvilRequest(clitest.Evil)} {
			b.WriteString(strings.Join(requestCard(p, r, requestKeys(p.Printer, r)), "\n") + "\n\n")
		}
		for _, x := range []nod.Trouble{nod.TroubleLogin, nod.TroubleBusy, nod.TroubleStopped} {
			b.WriteString(p.Wrap(p.Trouble(x, "jarvis", "desk")) + "\n")
		}
		check("talk", b.String())
	})
}

func TestGoldenTalkHelp(t *testing.T) {
	h := newTestHub(t, nil)
	for tag := range clitest.Languages {
		for _, name := range []string{"ask", "chat"} {
			got := h.nod(user{lang: tag}, name, "--help")
			clitest.GoldenFile(t, fmt.Sprintf("help-%s-%s.txt", name, tag), got.Out)
		}
	}
}
