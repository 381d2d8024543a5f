//go:build unix

package stdio

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// A group that is gone already is what is wanted: errors say no more than that.

func termGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func killOne(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

// sweepGroup ends what the leader of a group has left behind.
func sweepGroup(pid int) { killGroup(pid) }

// KillGroup ends a program that does not end by itself, or that an earlier hub has
// left behind, with its tools: they have groups of their own, which it would have
// ended.
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
