package console

import (
	"io"
	"os"

	xterm "golang.org/x/term"

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
