//go:build !unix

package stdio

import (
	"os"
	"os/exec"
)

// Without process groups only the program itself can be ended; it ends its children.

func ownGroup(*exec.Cmd) {}

func termGroup(pid int) { killGroup(pid) }

func killGroup(pid int) { killOne(pid) }

func killOne(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func sweepGroup(int) {}

// KillGroup ends a program that does not end by itself, or that an earlier hub left
// behind.
func KillGroup(pid int) {
	if pid > 1 {
		killGroup(pid)
	}
}
