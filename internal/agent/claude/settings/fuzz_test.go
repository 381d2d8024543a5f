package settings

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzInstall: Install either refuses a file or makes one that parses, has our hooks, is not changed by a
// second Install, and becomes an equivalent document again by Remove.
func FuzzInstall(f *testing.F) {
	for _, e := range append(examples(f), ignored(f)...) {
		f.Add(e.before)
		f.Add(e.after)
	}
	for _, text := range []string{"", "[]", `{"hooks":{"SessionStart":[{"hooks":[],},],},}`, `{/**/"a"/**/:/**/1/**/,/**/}//`,
		`{"hooks":{"SessionStart":[/*a*/{"hooks":[/*b*/{"type":"command","command":"nod hook"}/*c*/,/*d*/]}/*e*/,/*f*/]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		d, err := parse("fuzz", before)
		if err != nil {
			return
		}
		if !bytes.Equal(d.pack(), before) {
			t.Fatalf("reading alone changes %q to %q", before, d.pack())
		}
		s := snapshot{file: "fuzz", target: "fuzz", exists: true, data: before}
		installed, err := installer(wanted(), IsNod)(s, record{})
		if err != nil {
			return
		}
		again := snapshot{file: "fuzz", target: "fuzz", exists: true, data: installed.After}
		if second, err := installer(wanted(), IsNod)(again, record{}); err != nil || second.Changed {
			t.Fatalf("a second install changes it: %v\n%s", err, second.Diff)
		}
		removed, err := remover(IsNod)(again, record{})
		if err != nil {
			t.Fatalf("cannot remove from %q: %v", installed.After, err)
		}
		if got, want := stripped(t, removed.After), stripped(t, before); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\nbecame\n%q\nand then\n%q", before, installed.After, removed.After)
		}
	})
}
