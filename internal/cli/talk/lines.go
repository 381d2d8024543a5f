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

// errInterrupted is Ctrl+C where a line was expected.
var errInterrupted = errors.New("interrupted")

// lineSource is where a person types lines. line ends with io.EOF when nothing
// more comes, with errInterrupted, or with the error of ctx. patience is how
// long keys are not taken: they were meant for what was there before.
type lineSource interface {
	line(ctx context.Context, prompt string, patience time.Duration) (string, error)
}

// newLineSource is a line editor on a terminal; elsewhere lines are read as they come.
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

// streamLines takes lines from anything. One that came while nobody waited is
// kept for whoever asks next.
type streamLines struct {
	in      io.Reader
	out     io.Writer // where prompts are shown; nil: nowhere
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

// terminalLines is a person at a terminal, with a line that can be edited and the
// lines that were typed before.
type terminalLines struct {
	in      io.Reader
	out     io.Writer
	now     func() time.Time
	history []string
}

func (t *terminalLines) line(ctx context.Context, prompt string, patience time.Duration) (string, error) {
	m := newLineEditor(prompt, t.history)
	m.now, m.from = t.now, t.now().Add(patience)
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
