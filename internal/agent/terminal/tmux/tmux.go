// Package tmux is a small client of the tmux program: it looks at one pane and
// types into it. Everything is one short run of tmux with an environment of its
// own, because what is set around nod must not change what a key means.
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

// ErrGone means that the pane, or the server that had it, is not there any more.
var ErrGone = errors.New("the pane is gone")

// ErrMissing means that there is no tmux program on this machine.
var ErrMissing = errors.New("tmux is not installed")

// callTime bounds one run of tmux: a server that hangs must hang nobody else.
const callTime = 5 * time.Second

// Tmux finds panes. Everyone who asks for the same pane gets the same one, with
// the same lock.
type Tmux struct {
	program func() (string, error)

	mu    sync.Mutex
	panes map[address]*Pane
}

type address struct{ socket, id string }

// New makes a client. The program is looked for when it is first needed.
func New() *Tmux {
	return &Tmux{program: sync.OnceValues(find), panes: map[address]*Pane{}}
}

// find also looks where a service started without a person's PATH would not.
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

// Pane is a pane by the socket of its server and its id, such as "%3". Neither
// name means anything else: not "the active pane", not a session's name.
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

// run is one run of tmux on a server.
func (t *Tmux) run(ctx context.Context, socket, stdin string, args ...string) (string, error) {
	program, err := t.program()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	// -f: a server that is not there must not be started with anybody's settings.
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

// failure tells a pane that is gone from everything else.
func failure(ctx context.Context, what, said string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tmux %s: %w", what, ctx.Err())
	}
	for _, gone := range []string{"can't find pane", "can't find window", "can't find session", "no server running", "error connecting", "server exited", "lost server", "no current target"} {
		if strings.Contains(said, gone) {
			return fmt.Errorf("%w: %s", ErrGone, strings.TrimSpace(said))
		}
	}
	return fmt.Errorf("tmux %s: %w: %s", what, err, strings.TrimSpace(said))
}
