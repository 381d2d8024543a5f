//go:build unix

package run

import "golang.org/x/sys/unix"

// Exec replaces this process with the program. It returns only on failure.
func Exec(path string, args, env []string) (exit int, err error) {
	return 0, unix.Exec(path, args, env)
}
