package cli

import (
	"os"

	"golang.org/x/term"
)

// pipeColumns is the width of layouts where there is no terminal to ask.
const pipeColumns = 80

// page is a fresh page for this moment on this output.
func (c *console) page() page {
	columns, ok := c.width()
	p := page{layout: layout{Printer: c.Printer, columns: pipeColumns, now: c.Now()}}
	if ok {
		p.columns, p.terminal = columns, true
		if c.colours() {
			p.palette = terminalPalette()
		}
	}
	return p
}

func (c *console) width() (columns int, ok bool) {
	if c.Terminal != nil {
		return c.Terminal()
	}
	f, isFile := c.Stdout.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return pipeColumns, true
	}
	return columns, true
}

func (c *console) colours() bool {
	return c.Getenv("NO_COLOR") == "" && c.Getenv("TERM") != "dumb"
}
