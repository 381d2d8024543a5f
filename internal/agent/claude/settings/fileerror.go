package settings

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// FileError says which file is wrong, where, and what the person can do about it.
type FileError struct {
	File         string
	Line, Column int // 1-based, column in characters; 0 when the whole file is meant
	Problem      string
	Fix          string
	Err          error // of the operating system, if any
}

func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Problem)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

func (e *FileError) Unwrap() error { return e.Err }

// position turns a byte offset into line and column, as an editor shows them.
func position(src []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(src))
	lineStart := bytes.LastIndexByte(src[:offset], '\n') + 1
	return 1 + bytes.Count(src[:offset], []byte("\n")), 1 + utf8.RuneCount(src[lineStart:offset])
}
