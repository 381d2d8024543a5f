package peer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

func TestVariableNames(t *testing.T) {
	block := []byte("A=1\x00B==x=y\x00EMPTY=\x00BARE\x00\x00=odd\x00LAST=no end")
	got, err := variableNames(block)
	if want := []string{"A", "B", "EMPTY", "BARE", "LAST"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if !bytes.Equal(block, make([]byte, len(block))) {
		t.Error("block was not wiped")
	}
	if _, err := variableNames([]byte("\x00\x00")); !errors.Is(err, errNoEnviron) {
		t.Errorf("empty: %v", err)
	}
}

func procargs(argc uint32, rest string) []byte {
	return append(binary.NativeEndian.AppendUint32(nil, argc), rest...)
}

func TestProcargsEnviron(t *testing.T) {
	const head = "/bin/nod\x00\x00\x00\x00nod\x00CLAUDECODE=arg\x00"
	tests := []struct {
		name string
		in   []byte
		want string // "" for none
	}{
		{"usual", procargs(2, head+"A=1\x00B=2\x00\x00ptr_munge=\x00"), "A=1\x00B=2"},
		{"no strings for the linker", procargs(2, head+"A=1\x00"), "A=1\x00"},
		{"empty argument", procargs(3, head+"\x00A=1\x00\x00"), "A=1"},
		{"hidden by macOS", procargs(2, head), ""},
		{"empty", procargs(2, head+"\x00ptr_munge=\x00"), ""},
		{"fewer arguments than told", procargs(9, head+"A=1\x00"), ""},
		{"huge count", procargs(1<<32-1, head), ""},
		{"no end of path", procargs(1, "/bin/nod"), ""},
		{"short", []byte{1, 0}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := procargsEnviron(tt.in)
			if string(got) != tt.want || errors.Is(err, errNoEnviron) != (tt.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func FuzzProcargsEnviron(f *testing.F) {
	f.Add(procargs(1, "/bin/nod\x00\x00nod\x00A=1\x00B=2\x00\x00x=\x00"))
	f.Add(procargs(0, "\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		block, err := procargsEnviron(in)
		if (err == nil) != (len(block) > 0) {
			t.Errorf("%q, %v", block, err)
		}
		variableNames(block)
	})
}
