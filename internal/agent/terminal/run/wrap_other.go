//go:build !linux && !darwin

package run

// Run fails: there is no terminal to put a program into.
func Run(Options) (exit int, err error) { return 0, ErrUnsupported }

// Inside fails, like Run.
func Inside(command, env []string) (exit int, err error) { return 0, ErrUnsupported }
