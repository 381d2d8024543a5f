package peer

import (
	"errors"
	"testing"
)

const statTail = " S 7 42 41 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 2 3"

func TestParseStat(t *testing.T) {
	tests := []struct {
		line string
		name string
		err  error
	}{
		{"42 (bash)" + statTail, "bash", nil},
		{"42 (tmux: server)" + statTail, "tmux: server", nil},
		{"42 (a) (b)" + statTail, "a) (b", nil},
		{"42 ()) R 1 1 1 (x)" + statTail, ")) R 1 1 1 (x", nil},
		{"42 (\x1b\n\xff)" + statTail, "??\ufffd", nil},
		{"42 (bash) Z 7 42 41 0 42 0 1 0 0 0 0 0 0 0 20 0 1 0 98765", "", ErrGone},
		{"42 (bash) S 7 42 41 0", "", errStat},
		{"42 (bash) S 7 x 41 0 42 0 1 0 0 0 0 0 0 0 20 0 1 0 -5", "", errStat},
		{"42 bash" + statTail, "", errStat},
		{")(", "", errStat},
		{"", "", errStat},
	}
	for _, tt := range tests {
		got, err := parseStat(tt.line)
		want := Ancestor{}
		if tt.err == nil {
			want = Ancestor{Identity{42, 98765}, 7, tt.name, 41, true}
		}
		if got != want || !errors.Is(err, tt.err) {
			t.Errorf("%q: got %+v, %v; want %+v, %v", tt.line, got, err, want, tt.err)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("42 (a) (b)" + statTail)
	f.Fuzz(func(t *testing.T, line string) {
		if a, err := parseStat(line); err != nil && a != (Ancestor{}) {
			t.Errorf("%+v with %v", a, err)
		}
	})
}
