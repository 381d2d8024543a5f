package console

import (
	"os"

	xterm "golang.org/x/term"

	"nod/internal/cli/show"
	"nod/internal/cli/term"
)

// Page is a fresh page for this moment on this output.
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

func (c *Console) Width() (columns int, ok bool) {
	if c.Terminal != nil {
		return c.Terminal()
	}
	f, isFile := c.Stdout.(*os.File)
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

// AtKeyboard reports whether somebody sits there, who sees stderr and types on
// stdin, and how wide their terminal is.
func (c *Console) AtKeyboard() (columns int, ok bool) {
	if c.Person != nil {
		return c.Person()
	}
	in, typed := c.Stdin.(*os.File)
	out, seen := c.Stderr.(*os.File)
	if !typed || !seen || !xterm.IsTerminal(int(in.Fd())) || !xterm.IsTerminal(int(out.Fd())) {
		return 0, false
	}
	columns, _, err := xterm.GetSize(int(out.Fd()))
	if err != nil || columns <= 0 {
		return term.PipeColumns, true
	}
	return columns, true
}
