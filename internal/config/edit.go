package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"nod"
	"nod/internal/sys/replace"
)

// AddRule writes one more rule into a list of [policy] ("allow", "ask" or
// "deny") and leaves every other byte of the file as it is. What it cannot do
// with certainty it refuses, and says what to write by hand. It reports whether
// the file changed: a rule that is there already is not written twice.
func AddRule(file, list, rule string) (changed bool, err error) {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // a link stays a link
	}
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nod.Errorf(nod.Unavailable, "cannot read %s", file).Because(err)
	}
	want, err := decoded(string(text))
	if err != nil {
		return false, nod.Errorf(nod.Invalid, "%s: %s", file, tomlError(err))
	}
	if !slices.Contains([]string{"allow", "ask", "deny"}, list) {
		return false, nod.Errorf(nod.Invalid, "unknown list %q: allow, ask or deny", list)
	}
	byHand := nod.Errorf(nod.Unprocessable, "%s is written in a way that nod does not edit by itself: put %s into %s of [policy] by hand", file, quoted(rule), list)
	policy, _ := want["policy"].(map[string]any)
	if policy == nil {
		policy = map[string]any{}
		want["policy"] = policy
	}
	rules, ok := policy[list].([]any)
	if !ok && policy[list] != nil {
		return false, byHand
	}
	if slices.Contains(rules, any(rule)) {
		return false, nil
	}
	policy[list] = append(rules, rule)
	edited := withRule(string(text), list, quoted(rule))
	if got, err := decoded(edited); err != nil || !reflect.DeepEqual(got, want) {
		return false, byHand
	}
	return true, save(file, []byte(edited))
}

func decoded(text string) (table map[string]any, err error) {
	table = map[string]any{}
	_, err = toml.Decode(text, &table)
	return table, err
}

// quoted is a rule as a TOML string.
func quoted(rule string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(rule) + `"`
}

// withRule finds the place by its letters; the caller checks the result.
func withRule(text, list, rule string) string {
	policyTable := regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*policy[ \t]*\][^\n]*\n?`)
	anyTable := regexp.MustCompile(`(?m)^[ \t]*\[`)
	at := policyTable.FindStringIndex(text)
	if at == nil {
		gap := ""
		if text != "" {
			gap = strings.Repeat("\n", 2-min(1, strings.Count(text[len(text)-1:], "\n")))
		}
		return text + gap + "[policy]\n" + list + " = [" + rule + "]\n"
	}
	start, end := at[1], len(text)
	if next := anyTable.FindStringIndex(text[start:]); next != nil {
		end = start + next[0]
	}
	key := regexp.MustCompile(`(?m)^[ \t]*` + list + `[ \t]*=[ \t]*\[`).FindStringIndex(text[start:end])
	if key == nil {
		newline := ""
		if !strings.HasSuffix(text[:start], "\n") {
			newline = "\n"
		}
		return text[:start] + newline + list + " = [" + rule + "]\n" + text[start:]
	}
	open := start + key[1]
	last, closing := endOfList(text[open:])
	if closing < 0 {
		return text
	}
	last, closing = open+last, open+closing
	switch tail := text[last:closing]; {
	case last == open: // an empty list
		return text[:open] + rule + text[open:]
	case strings.Contains(text[open:closing], "\n") && strings.Contains(tail, ","):
		return text[:last] + ",\n" + indentOf(text, last) + rule + text[last:]
	case strings.Contains(text[open:closing], "\n"):
		return text[:last] + ",\n" + indentOf(text, last) + rule + "," + text[last:]
	}
	return text[:last] + ", " + rule + text[last:]
}

// indentOf is the white space before the line that holds a place.
func indentOf(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// endOfList finds, after the opening bracket, the end of the last value and the
// closing bracket. Strings and comments may hold brackets of their own.
func endOfList(text string) (last, closing int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if c == '"' && text[i] == '\\' {
					i++
				}
			}
			last = i + 1
		case ']':
			return min(last, i), i
		}
	}
	return 0, -1
}

// save keeps the mode that the person gave the file.
func save(file string, text []byte) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := replace.File(file, text, mode); err != nil {
		return nod.Errorf(nod.Unavailable, "cannot write %s", file).Because(err)
	}
	return nil
}
