// Package tmux is a small client of the tmux program: it captures a pane and types into
// it. Each call runs tmux once, with an environment of its own, because variables around
// nod must not change what a key means.
package tmux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ErrGone means that the pane, or its server, is gone.
var ErrGone = errors.New("the pane is gone")

// ErrMissing means that there is no tmux program on this machine.
var ErrMissing = errors.New("tmux is not installed")

// callTime bounds one call, because a server may hang.
const callTime = 5 * time.Second

// Tmux finds panes. The same pane is always the same *Pane, with the same lock.
type Tmux struct {
	program func() (string, error)

	mu    sync.Mutex
	panes map[address]*Pane
}

type address struct{ socket, id string }

// New makes a client. It looks for the program when it first needs it.
func New() *Tmux {
	return &Tmux{program: sync.OnceValues(find), panes: map[address]*Pane{}}
}

// find also looks outside of PATH, which is short for a service.
func find() (string, error) {
	if path, err := exec.LookPath("tmux"); err == nil {
		return path, nil
	}
	for _, dir := range []string{"/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin"} {
		if path, err := exec.LookPath(filepath.Join(dir, "tmux")); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Pane finds a pane by the socket of its server and its id, such as "%3". No other
// target is taken, such as the active pane or the name of a session.
func (t *Tmux) Pane(socket, id string) (*Pane, error) {
	if !filepath.IsAbs(socket) || !isPaneID(id) {
		return nil, fmt.Errorf("%q on %q names no pane of tmux", id, socket)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := address{filepath.Clean(socket), id}
	p, ok := t.panes[at]
	if !ok {
		p = &Pane{tmux: t, address: at, lock: make(chan struct{}, 1)}
		t.panes[at] = p
	}
	return p, nil
}

func isPaneID(id string) bool {
	digits, ok := strings.CutPrefix(id, "%")
	return ok && digits != "" && len(digits) < 10 && strings.Trim(digits, "0123456789") == ""
}

// run runs tmux once.
func (t *Tmux) run(ctx context.Context, socket, stdin string, args ...string) (string, error) {
	program, err := t.program()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	// -f: a server that tmux starts must not read a person's settings.
	cmd := exec.CommandContext(ctx, program, append([]string{"-u", "-S", socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	cmd.Stdin = strings.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return "", failure(ctx, args[0], stderr.String(), err)
	}
	return out.String(), nil
}

// failure recognises a pane that is gone.
func failure(ctx context.Context, what, stderr string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tmux %s: %w", what, ctx.Err())
	}
	for _, gone := range []string{"can't find pane", "can't find window", "can't find session", "no server running", "error connecting", "server exited", "lost server", "no current target"} {
		if strings.Contains(stderr, gone) {
			return fmt.Errorf("%w: %s", ErrGone, strings.TrimSpace(stderr))
		}
	}
	return fmt.Errorf("tmux %s: %w: %s", what, err, strings.TrimSpace(stderr))
}
