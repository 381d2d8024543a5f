package rig

import (
	"bytes"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// Printed is the outcome of a -p run.
type Printed struct {
	Stdout, Stderr string
	ExitCode       int
}

// Print is a running -p run.
type Print struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	done           chan struct{}
}

// RunPrint runs `claude -p` to its end.
func (r *Rig) RunPrint(t testing.TB, args ...string) Printed {
	t.Helper()
	return r.StartPrint(t, args...).Wait(t)
}

// StartPrint runs `claude -p` in the background, for runs that wait for an answer.
func (r *Rig) StartPrint(t testing.TB, args ...string) *Print {
	t.Helper()
	p := &Print{done: make(chan struct{})}
	p.cmd = r.command(slices.Concat(args, []string{"-p"})...)
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	start(t, p.cmd, p.done)
	return p
}

// PID is the process id of Claude Code itself.
func (p *Print) PID() int { return p.cmd.Process.Pid }

// Running reports whether the run is still going.
func (p *Print) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Wait waits for the end of the run.
func (p *Print) Wait(t testing.TB) Printed {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(Patience):
		p.cmd.Process.Kill()
		<-p.done
		t.Fatalf("claude -p did not end in %s\nstdout:\n%s\nstderr:\n%s", Patience, &p.stdout, &p.stderr)
	}
	return Printed{p.stdout.String(), p.stderr.String(), p.cmd.ProcessState.ExitCode()}
}

func (r *Rig) command(args ...string) *exec.Cmd {
	cmd := exec.Command(r.claude, r.args(args...)...)
	cmd.Dir, cmd.Env = r.Dir, r.Env()
	// A hook or tool that outlives Claude Code keeps its pipes open; do not wait for it.
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// start runs cmd, closes done when it ends and makes sure that this happens before the test ends.
func start(t testing.TB, cmd *exec.Cmd, done chan struct{}) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		_ = cmd.Wait() // the exit code is kept in cmd.ProcessState
	}()
	t.Cleanup(func() {
		end(cmd.Process.Pid)
		<-done
	})
}
