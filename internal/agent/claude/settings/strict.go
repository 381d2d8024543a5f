package settings

import (
	"bytes"
	"errors"
)

// ErrIgnored marks a file that Claude Code drops as a whole because of a comment or a trailing comma
// (measured with 2.1.325; a byte order mark does no harm). A hook in such a file would never run.
var ErrIgnored = errors.New("the whole file is ignored by Claude Code")

// checkStrict refuses what is JSON to us but not to Claude Code.
func (d *document) checkStrict() error {
	if d.root.IsStandard() {
		return nil
	}
	offset, what := firstLenience(d.src)
	line, column := position(d.src, offset)
	return &FileError{File: d.file, Line: line, Column: column, Err: ErrIgnored,
		Problem: "here is " + what + ", and Claude Code ignores the whole file because of it",
		Fix:     "take out all comments and trailing commas, then try again"}
}

// firstLenience finds the first comment or trailing comma of a text that is otherwise valid.
func firstLenience(src []byte) (offset int, what string) {
	comma := -1 // the last comma, as long as only white space followed it
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '/':
			if comma >= 0 && endsList(src[i:]) {
				return comma, "a trailing comma"
			}
			return i, "a comment"
		case (c == '}' || c == ']') && comma >= 0:
			return comma, "a trailing comma"
		case c == ',':
			comma = i
		case c == '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			comma = -1
		case bytes.IndexByte([]byte(" \t\r\n"), c) < 0:
			comma = -1
		}
	}
	return 0, "a comment or a trailing comma"
}

// endsList reports whether only comments and white space come before the next closing bracket.
func endsList(src []byte) bool {
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case ' ', '\t', '\r', '\n':
		case '/':
			i += commentLength(src[i:])
		default:
			return src[i] == '}' || src[i] == ']'
		}
	}
	return false
}
