//go:build linux || darwin

package run

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Inside runs between the wrapper and the program, as the session leader of the new
// terminal. The kernel does not suspend a program without such a parent, because nothing
// could resume it; and a program that believes it is suspended, as Claude Code does after
// Ctrl+Z, then hangs for good.
//
// It starts the program, stops when the program does, continues when it is told to, and
// ends with the program's exit code.
func Inside(command, env []string) (exit int, err error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGALRM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGCONT)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	group := -cmd.Process.Pid
	for changes := watch(cmd.Process.Pid); ; {
		select {
		case s := <-signals:
			_ = unix.Kill(group, s.(unix.Signal))
			if s == unix.SIGTERM || s == unix.SIGHUP {
				_ = unix.Kill(group, unix.SIGCONT) // a suspended process gets no signals
			}
		case status, ok := <-changes:
			switch {
			case !ok:
				return 0, errors.New("the program was waited for by somebody else")
			case status.Stopped():
				_ = unix.Kill(os.Getpid(), unix.SIGSTOP) // the wrapper sees it; its SIGCONT is passed on above
			default:
				return exitCode(status), nil
			}
		}
	}
}

// watch reports when a child stops or ends.
func watch(pid int) <-chan unix.WaitStatus {
	changes := make(chan unix.WaitStatus)
	go func() {
		for {
			var status unix.WaitStatus
			_, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				close(changes)
				return
			}
			if changes <- status; status.Exited() || status.Signaled() {
				return
			}
		}
	}()
	return changes
}

// exitCode is the exit code as a shell reports it.
func exitCode(status unix.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
