package peer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxLineage is far above what terminals, multiplexers and build tools stack up. A longer line is rejected, not cut:
// the agent could be in the part that was cut.
const maxLineage = 64

var (
	errTooDeep = errors.New("too many ancestors")
	errMoved   = errors.New("ancestry changed during the check")
)

// Ancestor is one process in a line of parents.
type Ancestor struct {
	Identity
	Parent  int    // 0: none that we can see, as for pid 1 and for a process put into our container from outside
	Name    string // what the process calls itself; safe to print, not to trust
	Session int
	TTY     bool // has a controlling terminal
}

// table is the process table; tests put their own in place of the host's.
type table interface {
	uid() int
	stat(pid int) (Ancestor, error)
	// names lists the variables in the environment of a process, never their values.
	names(pid int) ([]string, error)
}

// Lineage returns the process and its ancestors, itself first.
func Lineage(pid int) ([]Ancestor, error) { return lineage(host{}, pid) }

func lineage(t table, pid int) ([]Ancestor, error) {
	var line []Ancestor
	for len(line) < maxLineage {
		a, err := t.stat(pid)
		if err != nil {
			return nil, fmt.Errorf("process %d: %w", pid, err)
		}
		// A parent younger than its child is another process that got the pid of a dead parent. Pid 1 is never
		// reused, and its start may be after a clock correction (darwin).
		if n := len(line); n > 0 && pid != 1 && a.Start > line[n-1].Start {
			return nil, fmt.Errorf("process %d: %w", pid, errMoved)
		}
		line = append(line, a)
		if pid == 1 || a.Parent == 0 {
			return line, nil
		}
		pid = a.Parent
	}
	return nil, errTooDeep
}

// sameLine ignores what a process may legitimately change while we look: its name, session and terminal.
func sameLine(a, b []Ancestor) bool {
	return slices.EqualFunc(a, b, func(x, y Ancestor) bool {
		return x.Identity == y.Identity && x.Parent == y.Parent
	})
}

// printable keeps a process from writing to our terminal through its name.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
}
