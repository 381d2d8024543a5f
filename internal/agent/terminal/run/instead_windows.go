package run

import "nod/internal/agent/terminal/pty"

// Instead fails: there is no such thing here.
func Instead(string, []string, []string) (exit int, err error) { return 0, pty.ErrUnsupported }
