package peer

import (
	"errors"
	"strconv"
	"strings"
)

var errStat = errors.New("cannot parse /proc/pid/stat")

// Indexes of fields after the name, counted from the state, which is field 3 of proc_pid_stat(5).
const (
	fieldState   = 0
	fieldParent  = 1
	fieldSession = 3
	fieldTTY     = 4
	fieldStart   = 19
)

// parseStat parses "pid (name) state parent …". The name may contain anything, also ") R 1 (", hence the last
// bracket.
func parseStat(line string) (Ancestor, error) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return Ancestor{}, errStat
	}
	f := strings.Fields(line[end+1:])
	if len(f) <= fieldStart {
		return Ancestor{}, errStat
	}
	// A zombie shows an empty environment. That includes a living process whose first thread has ended.
	switch f[fieldState] {
	case "Z", "X", "x":
		return Ancestor{}, ErrGone
	}
	pid, err1 := strconv.Atoi(strings.TrimSpace(line[:open]))
	parent, err2 := strconv.Atoi(f[fieldParent])
	session, err3 := strconv.Atoi(f[fieldSession])
	start, err4 := strconv.ParseUint(f[fieldStart], 10, 64)
	if errors.Join(err1, err2, err3, err4) != nil {
		return Ancestor{}, errStat
	}
	return Ancestor{
		Identity: Identity{PID: pid, Start: start},
		Parent:   parent,
		Name:     printable(line[open+1 : end]),
		Session:  session,
		TTY:      f[fieldTTY] != "0",
	}, nil
}
