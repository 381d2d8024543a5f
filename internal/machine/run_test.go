package machine

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"
	"testing"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/machine/env"
)

func TestRunReturnsTheExitCode(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name string
		exit int
		err  error
		code int
		says string
	}{
		{"well", 0, nil, 0, ""},
		{"with its own code", 42, nil, 42, ""},
		{"not on this system", 0, run.ErrUnsupported, env.ExitFailed, "works on Linux and macOS"},
		{"no program", 0, &exec.Error{Name: "x", Err: errors.New("exec format error")}, exitNotRunnable, "exec format error"},
		{"not allowed", 0, &fs.PathError{Op: "fork/exec", Path: "x", Err: fs.ErrPermission}, exitNotRunnable, "permission denied"},
		{"no socket", 0, nod.Errorf(nod.Invalid, "choose a shorter data directory"), env.ExitFailed, "shorter data directory"},
	} {
		err := w.machine.ended("claude", c.exit, c.err)
		var s *env.Error
		switch {
		case c.code == 0 && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.code != 0 && (!errors.As(err, &s) || s.ExitCode() != c.code || !strings.Contains(s.Error(), c.says)):
			t.Errorf("%s: %v", c.name, err)
		case c.says == "" && err != nil && err.Error() != "":
			t.Errorf("%s: it has said enough itself: %q", c.name, err)
		}
	}
}

func TestRunNeedsAProgram(t *testing.T) {
	w := newWorld(t)
	for code, args := range map[int][]string{env.ExitUsage: {}, exitNotFound: {"--", "no-such-program", "--flag"}} {
		cmd := w.machine.wrap()
		cmd.SetArgs(args)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		var s *env.Error
		if err := cmd.Execute(); !errors.As(err, &s) || s.ExitCode() != code {
			t.Errorf("%q: %v", args, err)
		}
	}
}
