package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// account is who runs PostgreSQL when the tests run as root: it refuses root.
func account() (uid, gid int, needed bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return 65534, 65534, true
	}
	uid, _ = strconv.Atoi(u.Uid)
	gid, _ = strconv.Atoi(u.Gid)
	return uid, gid, true
}

func unprivileged(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, needed := account(); needed {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

func own(paths ...string) error {
	uid, gid, needed := account()
	for _, p := range paths {
		if !needed {
			return nil
		}
		if err := os.Chown(p, uid, gid); err != nil {
			return err
		}
	}
	return nil
}

// begin starts a server that ends when the tests do, however they end. The
// kernel counts the death of the thread that started it, so that thread stays.
func begin(cmd *exec.Cmd, ended chan<- struct{}) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(ended)
		}
	}()
	return <-started
}
