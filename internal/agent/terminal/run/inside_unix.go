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

// Inside is the process between the wrapper and the program: the leader of the
// session in the new terminal. A program without such a parent cannot be
// suspended (the kernel ignores it, lest nobody ever brings it back), and one
// that believes it is, as Claude Code does after Ctrl+Z, hangs for good.
//
// It starts the program, stops when the program does, goes on when it is told
// to, and ends with its exit code.
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
	for news := watch(cmd.Process.Pid); ; {
		select {
		case s := <-signals:
			_ = unix.Kill(group, s.(unix.Signal))
			if s == unix.SIGTERM || s == unix.SIGHUP {
				_ = unix.Kill(group, unix.SIGCONT) // what is suspended hears nothing
			}
		case status, ok := <-news:
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

// watch tells when a child stops or ends.
func watch(pid int) <-chan unix.WaitStatus {
	news := make(chan unix.WaitStatus)
	go func() {
		for {
			var status unix.WaitStatus
			_, err := unix.Wait4(pid, &status, unix.WUNTRACED, nil)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				close(news)
				return
			}
			if news <- status; status.Exited() || status.Signaled() {
				return
			}
		}
	}()
	return news
}

// exitCode is how a shell tells the end of a program.
func exitCode(status unix.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
