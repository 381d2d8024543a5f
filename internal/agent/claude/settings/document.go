package settings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// maxSize is the limit that Claude Code itself sets for a settings file.
	maxSize = 2 << 20
	// maxDepth keeps a hostile file from exhausting the stack of the recursive parser.
	maxDepth = 256

	byteOrderMark = "\ufeff"
)

// document is a parsed settings file that packs to exactly the bytes it was read from.
type document struct {
	file     string
	src      []byte // without byte order mark
	bom      bool
	blank    bool // nothing but white space, which counts as {}
	added    bool // a newline was added for the parser, which wants one after a closing line comment
	root     hujson.Value
	warnings []string
}

func parse(file string, raw []byte) (*document, error) { return parseSized(file, raw, maxSize) }

func parseSized(file string, raw []byte, most int) (*document, error) {
	d := &document{file: file}
	d.src, d.bom = bytes.CutPrefix(raw, []byte(byteOrderMark))
	if err := d.checkBytes(most); err != nil {
		return nil, err
	}
	if d.blank = len(bytes.TrimSpace(d.src)) == 0; d.blank {
		d.root = hujson.Value{Value: &hujson.Object{}, AfterExtra: []byte(newlineOf(d.src))}
		return d, nil
	}
	text := bytes.Clone(d.src) // the tree aliases it and edits must not reach src
	if d.added = !bytes.HasSuffix(text, []byte("\n")); d.added {
		text = append(text, '\n')
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, d.syntaxError(err)
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, d.errorAt(root.StartOffset, "the top level is "+kindName(root)+", not an object",
			`a settings file must look like { "hooks": … }; repair it or move it away`)
	}
	d.root = root
	return d, d.checkNames()
}

func (d *document) checkBytes(most int) error {
	if len(d.src) > most {
		return &FileError{File: d.file, Problem: "the file is larger than 2 MiB, which Claude Code refuses to read",
			Fix: "shorten it or move it away"}
	}
	for i := 0; i < len(d.src); {
		r, n := utf8.DecodeRune(d.src[i:])
		if r == utf8.RuneError && n == 1 {
			return d.errorAt(i, fmt.Sprintf("byte 0x%02x is not valid UTF-8", d.src[i]), "save the file as UTF-8")
		}
		i += n
	}
	if at, deep := tooDeep(d.src); deep {
		return d.errorAt(at, fmt.Sprintf("more than %d brackets are nested here", maxDepth), "this is no settings file; move it away")
	}
	return nil
}

// top is safe because parse accepts only an object.
func (d *document) top() *hujson.Object { return d.root.Value.(*hujson.Object) }

func (d *document) pack() []byte {
	out := d.root.Pack()
	if d.blank && len(d.top().Members) == 0 {
		out = bytes.Clone(d.src)
	}
	if d.added {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	if d.bom {
		out = append([]byte(byteOrderMark), out...)
	}
	return out
}

func (d *document) errorAt(offset int, problem, fix string) error {
	line, column := position(d.src, offset)
	return &FileError{File: d.file, Line: line, Column: column, Problem: problem, Fix: fix}
}

// syntaxError keeps the place and the reason but not the quoted text, which may be a secret.
func (d *document) syntaxError(err error) error {
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		line, column = 1, 1
	}
	offset := 0
	for range line - 1 {
		length := bytes.IndexByte(d.src[offset:], '\n') + 1
		if length == 0 { // only the added newline is left: the end of the file
			return d.syntaxErrorAt(len(d.src), err)
		}
		offset += length
	}
	return d.syntaxErrorAt(offset+column-1, err)
}

func (d *document) syntaxErrorAt(offset int, err error) error {
	reason := err
	if inner := errors.Unwrap(err); inner != nil {
		reason = inner
	}
	text, _, _ := strings.Cut(reason.Error(), ": ")
	if strings.HasSuffix(reason.Error(), "unexpected EOF") {
		text = "the file ends in the middle of a value"
	}
	return d.errorAt(offset, "invalid JSON: "+text, "repair the file there and try again")
}

// tooDeep measures nesting without parsing; brackets in strings and comments do not count.
func tooDeep(src []byte) (offset int, deep bool) {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(src[i:])
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, true
			}
		case '}', ']':
			depth--
		}
	}
	return 0, false
}

// commentLength is how many bytes follow the slash that starts a comment; 0 when it starts none.
func commentLength(b []byte) int {
	end := ""
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(b, []byte("/*")):
		end = "*/"
	default:
		return 0
	}
	if i := bytes.Index(b[2:], []byte(end)); i >= 0 {
		return 1 + i + len(end)
	}
	return len(b)
}
