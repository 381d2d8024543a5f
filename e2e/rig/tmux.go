package rig

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// tmux is a private server, independent of the user's own: other socket, no configuration, no inherited environment.
type tmux struct {
	program string
	socket  string
}

func newTmux(t testing.TB, r *Rig) *tmux {
	m := &tmux{program: NeedTmux(t), socket: r.in("tmux-" + rand.Text())}
	t.Cleanup(func() { _, _ = m.run(nil, "kill-server") }) // it may be gone already
	return m
}

func (m *tmux) run(stdin []byte, args ...string) (string, error) {
	cmd := exec.Command(m.program, append([]string{"-u", "-S", m.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// open starts the server with one window that runs the command itself, no shell in between, and returns
// the process id of the command. The window outlives it, so the last screen can still be read.
func (m *tmux) open(dir string, env []string, command ...string) (pid int, err error) {
	args := []string{"start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";",
		"new-session", "-d", "-P", "-F", "#{pane_pid}", "-x", "110", "-y", "45", "-c", dir}
	for _, line := range env {
		args = append(args, "-e", line)
	}
	out, err := m.run(nil, append(append(args, "--"), command...)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(out))
}
