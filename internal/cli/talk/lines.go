package talk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	xterm "golang.org/x/term"

	"nod/internal/cli/console"
)

// errInterrupted means Ctrl+C where a line was expected.
var errInterrupted = errors.New("interrupted")

// lineSource reads lines that a person types. line fails with io.EOF at the end,
// with errInterrupted, or with the error of ctx. Keys typed during patience are
// ignored: they were meant for what was on the screen before.
type lineSource interface {
	line(ctx context.Context, prompt string, patience time.Duration) (string, error)
}

// newLineSource is a line editor on a terminal, and plain lines elsewhere.
func newLineSource(c *console.Console, person bool) lineSource {
	if in, ok := c.Stdin.(*os.File); ok && person && xterm.IsTerminal(int(in.Fd())) {
		return &terminalLines{in: in, out: c.Stderr, now: c.Now}
	}
	r := &streamLines{in: c.Stdin, lines: make(chan string), ended: make(chan error, 1)}
	if person {
		r.out = c.Stderr
	}
	return r
}

// streamLines reads lines from a stream. One that arrives early is kept for the
// next call.
type streamLines struct {
	in      io.Reader
	out     io.Writer // where prompts go; nil: nowhere
	started bool
	lines   chan string
	ended   chan error
}

func (r *streamLines) line(ctx context.Context, prompt string, _ time.Duration) (string, error) {
	if !r.started {
		r.started = true
		go r.read()
	}
	if r.out != nil {
		fmt.Fprint(r.out, prompt)
	}
	select {
	case text := <-r.lines:
		return text, nil
	case err := <-r.ended:
		r.ended <- err
		return "", err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (r *streamLines) read() {
	in := bufio.NewReader(r.in)
	for {
		text, err := in.ReadString('\n')
		if text != "" {
			r.lines <- strings.TrimRight(text, "\r\n")
		}
		if err != nil {
			r.ended <- io.EOF
			return
		}
	}
}

// terminalLines reads lines from a terminal, with editing and a history.
type terminalLines struct {
	in      io.Reader
	out     io.Writer
	now     func() time.Time
	history []string
}

func (t *terminalLines) line(ctx context.Context, prompt string, patience time.Duration) (string, error) {
	m := newLineEditor(prompt, t.history)
	m.now, m.acceptFrom = t.now, t.now().Add(patience)
	done, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(t.in), tea.WithOutput(t.out), tea.WithoutSignalHandler()).Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", err
	}
	m = done.(*lineEditor)
	if m.err == nil && strings.TrimSpace(m.line.String()) != "" && patience == 0 {
		t.history = append(t.history, m.line.String())
	}
	return m.line.String(), m.err
}
