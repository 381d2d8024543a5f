package procargs

import (
	"encoding/binary"
	"errors"
	"testing"
)

func result(argc uint32, rest string) []byte {
	return append(binary.NativeEndian.AppendUint32(nil, argc), rest...)
}

func TestEnviron(t *testing.T) {
	const head = "/bin/nod\x00\x00\x00\x00nod\x00CLAUDECODE=arg\x00"
	tests := []struct {
		name string
		in   []byte
		want string // "" for none
	}{
		{"usual", result(2, head+"A=1\x00B=2\x00\x00ptr_munge=\x00"), "A=1\x00B=2"},
		{"no strings for the linker", result(2, head+"A=1\x00"), "A=1\x00"},
		{"empty argument", result(3, head+"\x00A=1\x00\x00"), "A=1"},
		{"hidden by macOS", result(2, head), ""},
		{"empty", result(2, head+"\x00ptr_munge=\x00"), ""},
		{"fewer arguments than told", result(9, head+"A=1\x00"), ""},
		{"huge count", result(1<<32-1, head), ""},
		{"no end of path", result(1, "/bin/nod"), ""},
		{"short", []byte{1, 0}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Environ(tt.in)
			if string(got) != tt.want || errors.Is(err, ErrNone) != (tt.want == "") {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func FuzzEnviron(f *testing.F) {
	f.Add(result(1, "/bin/nod\x00\x00nod\x00A=1\x00B=2\x00\x00x=\x00"))
	f.Add(result(0, "\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		block, err := Environ(in)
		if (err == nil) != (len(block) > 0) {
			t.Errorf("%q, %v", block, err)
		}
	})
}
