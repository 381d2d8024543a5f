//go:build !linux && !darwin

package run

import "nod/internal/agent/terminal/pty"

// Run fails: there is no terminal to put a program into.
func Run(Options) (exit int, err error) { return 0, pty.ErrUnsupported }

// Inside fails, like Run.
func Inside(command, env []string) (exit int, err error) { return 0, pty.ErrUnsupported }
