//go:build !linux && !darwin

package run

// Run is not possible on this system.
func Run(Options) (exit int, err error) { return 0, ErrUnsupported }

// Inside is not possible on this system.
func Inside(command, env []string) (exit int, err error) { return 0, ErrUnsupported }
