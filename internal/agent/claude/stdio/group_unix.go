//go:build unix

package stdio

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Errors are ignored: they only say that the group is gone already.

func termGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func killOne(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

// sweepGroup ends processes that outlive the leader of their group.
func sweepGroup(pid int) { killGroup(pid) }

// KillGroup ends a program that does not end by itself, or that an earlier hub left
// behind. Its tools, which it would have ended itself, have groups of their own and are
// ended too.
func KillGroup(pid int) {
	if pid <= 1 {
		return
	}
	family := Family(pid)
	killGroup(pid)
	for _, one := range family[1:] {
		killOne(one)
	}
}
