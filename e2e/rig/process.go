package rig

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// alive is false for a zombie too: it is dead even if its parent has not reaped it yet.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return os.IsPermission(err) || (!os.IsNotExist(err) && syscall.Kill(pid, 0) == nil)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// end terminates a process, so that it ends its hooks and tools too, and kills it after 5 s.
func end(pid int) {
	_ = syscall.Kill(pid, syscall.SIGTERM) // it may be gone already
	deadline := time.NewTimer(5 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for alive(pid) {
		select {
		case <-tick.C:
		case <-deadline.C:
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		}
	}
}
