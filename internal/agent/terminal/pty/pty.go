// Package pty makes pseudo-terminals and handles terminals, on Linux and macOS,
// without C. Everything takes the file itself: nothing here remembers a terminal.
package pty

import "errors"

// ErrUnsupported means that this system has no pseudo-terminals that nod can make.
var ErrUnsupported = errors.New("pseudo-terminals are not supported on this system")

// Size is how large a terminal is: in cells, and in pixels where that is known.
type Size struct{ Rows, Columns, Width, Height uint16 }
