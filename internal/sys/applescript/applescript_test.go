package applescript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScripts(t *testing.T) {
	typed := func(literal string) string {
		return "tell application \"System Events\"\n\tkeystroke " + literal + "\n\tdelay 0.05\n\tkey code 36\nend tell\n"
	}
	for text, want := range map[string]string{
		"Yes":                                  typed(`"Yes"`),
		`say "hi"`:                             typed(`"say \"hi\""`),
		`C:\new`:                               typed(`"C:\\new"`),
		`\"`:                                   typed(`"\\\""`),
		"two\nlines\tmore":                     typed(`"two lines more"`),
		"a\x1b[31m\u202eb":                     typed(`"a[31mb"`),
		"zażółć はい":                            typed(`"zażółć はい"`),
		"stop":                                 typed(`"stop"`),
		"STOP":                                 "tell application \"System Events\"\n\tkey code 53\nend tell\n",
		"BACKGROUND":                           "tell application \"System Events\"\n\tkeystroke \"b\" using control down\nend tell\n",
		`" & (do shell script "rm -rf ~") & "`: typed(`"\" & (do shell script \"rm -rf ~\") & \""`),
	} {
		if got, err := Script(text); err != nil || got != want {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
	for _, text := range []string{"", " \n\t", "\x00\x1b", strings.Repeat("x", longest+1)} {
		if got, err := Script(text); !errors.Is(err, ErrUntypable) {
			t.Errorf("%.20q became %s", text, got)
		}
	}
}

// The text never gets out of its literal, and comes out of it as it went in.
func FuzzTheTextStaysAText(f *testing.F) {
	for _, seed := range []string{`"`, `\`, `\"`, "a\nb", `end tell`, "“x”", "\u2028", "\\\r\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		script, err := Script(text)
		if err != nil || text == Stop || text == Background {
			return
		}
		lines := strings.Split(script, "\n")
		if len(lines) != 6 {
			t.Fatalf("%d lines: %q", len(lines), script)
		}
		literal := strings.TrimPrefix(lines[1], "\tkeystroke ")
		if got, ok := read(literal); !ok || got != oneLine(text) {
			t.Errorf("%q is read as %q", literal, got)
		}
	})
}

// read reads one literal, all of it, as AppleScript does.
func read(s string) (string, bool) {
	if len(s) < 2 || s[0] != '"' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), i == len(s)-1
		case '\\':
			i++
			if i == len(s) {
				return "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", false
}

func TestTheScriptComesByAPipe(t *testing.T) {
	dir := t.TempDir()
	program, heard := filepath.Join(dir, "osascript"), filepath.Join(dir, "heard")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >'"+heard+"'\ncat >>'"+heard+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := typeWith(t.Context(), program, "Yes"); err != nil {
		t.Fatal(err)
	}
	script, _ := Script("Yes")
	if got, err := os.ReadFile(heard); err != nil || string(got) != "-\n"+script {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho not allowed >&2; exit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := typeWith(t.Context(), program, "Yes"); err == nil || !strings.Contains(err.Error(), "not allowed") {
		t.Error(err)
	}
}
