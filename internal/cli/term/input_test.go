package term

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestLineEditsLikeAShell(t *testing.T) {
	ctrl := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl} }
	code := func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r} }
	text := func(s string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(s)[0], Text: s} }
	tests := []struct {
		name string
		keys []tea.KeyPressMsg
		want string
	}{
		{"insert", []tea.KeyPressMsg{text("!")}, "git push origin!"},
		{"backspace", []tea.KeyPressMsg{code(tea.KeyBackspace)}, "git push origi"},
		{"home and delete", []tea.KeyPressMsg{code(tea.KeyHome), code(tea.KeyDelete)}, "it push origin"},
		{"left and insert", []tea.KeyPressMsg{code(tea.KeyLeft), text("N")}, "git push origiNn"},
		{"word", []tea.KeyPressMsg{ctrl('w')}, "git push "},
		{"to the start", []tea.KeyPressMsg{ctrl('u')}, ""},
		{"to the end", []tea.KeyPressMsg{ctrl('a'), ctrl('k')}, ""},
		{"newline", []tea.KeyPressMsg{ctrl('j'), text("x")}, "git push origin\nx"},
		{"japanese", []tea.KeyPressMsg{text("日本")}, "git push origin日本"},
	}
	for _, tt := range tests {
		l := NewInput("git push origin")
		for _, k := range tt.keys {
			l.Key(k)
		}
		if l.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, l.String(), tt.want)
		}
	}
}

func TestLineShowsTheCursor(t *testing.T) {
	l := NewInput("日本語日本語")
	rows, row, column := l.Draw(6)
	if len(rows) != 3 || row != 2 || column != 0 {
		t.Errorf("rows %q, cursor %d/%d", rows, row, column)
	}
	l.at = 1
	if _, row, column = l.Draw(6); row != 0 || column != 2 {
		t.Errorf("cursor %d/%d", row, column)
	}
}
