//go:build unix

package run

import "golang.org/x/sys/unix"

// Exec becomes the program: it returns only if that fails.
func Exec(path string, args, env []string) (exit int, err error) {
	return 0, unix.Exec(path, args, env)
}
