package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	xterm "golang.org/x/term"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
)

// Page is a page for this moment and for stdout.
func (c *Console) Page() show.Page {
	columns, ok := c.Width()
	p := show.Page{Layout: term.Layout{Printer: c.Printer, Columns: term.PipeColumns, Now: c.Now()}}
	if ok {
		p.Columns, p.Terminal = columns, true
		if c.Colours() {
			p.Palette = term.TerminalPalette()
		}
	}
	return p
}

// Width is how wide the terminal is that stdout goes to; ok is false in a pipe.
func (c *Console) Width() (columns int, ok bool) {
	if c.Terminal != nil {
		return c.Terminal()
	}
	return width(c.Stdout)
}

// width asks a terminal how wide it is; ok is false for anything else.
func width(out io.Writer) (columns int, ok bool) {
	f, isFile := out.(*os.File)
	if !isFile || !xterm.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := xterm.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return term.PipeColumns, true
	}
	return columns, true
}

func (c *Console) Colours() bool {
	return c.Getenv("NO_COLOR") == "" && c.Getenv("TERM") != "dumb"
}

// AtKeyboard reports whether a person sees stderr and types on stdin, and how
// wide their terminal is.
func (c *Console) AtKeyboard() (columns int, ok bool) {
	if c.Person != nil {
		return c.Person()
	}
	if in, isFile := c.Stdin.(*os.File); !isFile || !xterm.IsTerminal(int(in.Fd())) {
		return 0, false
	}
	return width(c.Stderr)
}

// Warn prints a text on stderr.
func (c *Console) Warn(text string) error {
	_, err := fmt.Fprintln(c.Stderr, c.Page().Wrap(text))
	return err
}

// Println prints a line on stdout.
func (c *Console) Println(text string) error {
	_, err := fmt.Fprintln(c.Stdout, text)
	return err
}

// PrintJSON prints for scripts, but people look too: control characters and
// invisible ones are written as \u escapes, which mean the same in JSON.
func (c *Console) PrintJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := c.Stdout.Write(showHidden(b.Bytes()))
	return err
}

// PrintJSONLine prints one value as it is on one line.
func PrintJSONLine(w io.Writer, raw []byte) error {
	_, err := fmt.Fprintf(w, "%s\n", showHidden(raw))
	return err
}

// showHidden escapes invisible characters; outside ASCII they can only be in
// strings.
func showHidden(text []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			b.WriteString(`\ufffd`)
		} else if r >= 0x7f && nod.OneLine(string(r)) != string(r) {
			escapeRune(&b, r)
		} else {
			b.Write(text[i : i+size])
		}
		i += size
	}
	return b.Bytes()
}

func escapeRune(b *bytes.Buffer, r rune) {
	if r > 0xFFFF {
		r -= 0x10000
		fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}

// OrEmpty makes a nil list print as [] instead of null.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
