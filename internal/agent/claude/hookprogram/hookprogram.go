// Package hookprogram knows the program that Claude Code starts at every event:
// what settings say about it, and whether a file on this machine is it.
package hookprogram

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
)

// Name is the file name of nod-hook on this system.
func Name() string {
	if runtime.GOOS == "windows" {
		return wire.HookName + ".exe"
	}
	return wire.HookName
}

// How long Claude Code waits for a hook, in seconds. One that waits for a person gets a
// day; the end of a session must not be delayed.
const (
	waitForPerson = 24 * 60 * 60
	waitForHub    = 10
	waitAtTheEnd  = 2
)

// Hooks are nod's hooks, one for each event. Claude Code starts the program
// without a shell, because args are not nil.
func Hooks(program string, args []string) []settings.Hook {
	var hooks []settings.Hook
	for _, event := range wire.Events() {
		h := settings.Hook{Event: event, Command: program, Args: append([]string{}, args...), Timeout: waitForHub}
		switch {
		case wire.Waits(event):
			h.Timeout = waitForPerson
		case event == wire.SessionEnd:
			h.Timeout = waitAtTheEnd
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// What Ask returns for a program that runs but is something else.
var (
	ErrSilent = errors.New("it says nothing about itself") // also what `nod hook` of a release before nod-hook does
	ErrOther  = errors.New("it is not nod's hook program")
)

// askTime is far more than a program needs to print its version.
const askTime = 5 * time.Second

// Ask starts a program with its arguments and reads what it says about itself. It gets
// next to no environment: no credential, and no setting that changes what it does.
func Ask(ctx context.Context, path, searchPath string, args ...string) (wire.Program, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(append([]string{}, args...), wire.VersionFlag)...)
	cmd.Env = []string{"PATH=" + searchPath}
	cmd.WaitDelay = time.Second // a grandchild may keep the pipe open
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return wire.Program{}, fmt.Errorf("no end within %s", askTime)
	case err != nil:
		return wire.Program{}, err
	case strings.TrimSpace(string(out)) == "":
		return wire.Program{}, ErrSilent
	}
	p, ok := wire.ParseProgram(string(out))
	if !ok {
		return wire.Program{}, ErrOther
	}
	return p, nil
}

// Beside finds the nod-hook in the folder of a nod, or of the file that a symbolic link
// to nod points to.
func Beside(ctx context.Context, nod, searchPath string) (path string, ok bool) {
	places := []string{nod}
	if target, err := filepath.EvalSymlinks(nod); err == nil && target != nod {
		places = append(places, target)
	}
	for _, place := range places {
		path = filepath.Join(filepath.Dir(place), Name())
		if _, err := Ask(ctx, path, searchPath); err == nil {
			return path, true
		}
	}
	return "", false
}

// buildTime is enough for a slow machine with an empty build cache.
const buildTime = 5 * time.Minute

// Build compiles nod-hook from the source that `go run` was started in, and like it
// without the commit, so that both say the same version.
func Build(ctx context.Context, to string) error {
	ctx, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", to, "nod/cmd/"+wire.HookName)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
