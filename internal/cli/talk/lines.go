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
	"charm.land/lipgloss/v2"
	xterm "golang.org/x/term"

	"nod/internal/cli/console"
	"nod/internal/cli/term"
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

// lineEditor is a Bubble Tea model that reads one line.
type lineEditor struct {
	prompt     string
	line       term.Input
	history    []string
	at         int    // which line of the history is shown; its length means the new one
	newLine    string // the new line, while an old one is shown
	width      int
	now        func() time.Time
	acceptFrom time.Time // earlier keys were meant for something else
	over       bool
	err        error
}

func newLineEditor(prompt string, history []string) *lineEditor {
	return &lineEditor{prompt: prompt, history: history, at: len(history), width: term.PipeColumns}
}

func (m *lineEditor) Init() tea.Cmd { return nil }

func (m *lineEditor) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = max(20, msg.Width)
	case tea.PasteMsg:
		if !m.now().Before(m.acceptFrom) {
			m.line.Insert(strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(msg.Content), "\n"))
		}
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

func (m *lineEditor) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	if key != "ctrl+c" && m.now().Before(m.acceptFrom) {
		return nil
	}
	switch key {
	case "enter":
		m.over = true
	case "ctrl+c":
		m.over, m.err = true, errInterrupted
	case "ctrl+d":
		if len(m.line.Text) > 0 {
			m.line.Key(msg)
			return nil
		}
		m.over, m.err = true, io.EOF
	case "up", "ctrl+p":
		m.recall(m.at - 1)
	case "down", "ctrl+n":
		m.recall(m.at + 1)
	case "esc":
		m.line = term.NewInput("")
	default:
		m.line.Key(msg)
	}
	if m.over {
		return tea.Quit
	}
	return nil
}

// recall shows an older line, or the new one again.
func (m *lineEditor) recall(to int) {
	if to < 0 || to > len(m.history) {
		return
	}
	if m.at == len(m.history) {
		m.newLine = m.line.String()
	}
	m.at = to
	if to == len(m.history) {
		m.line = term.NewInput(m.newLine)
		return
	}
	m.line = term.NewInput(m.history[to])
}

// View draws the line; when it is finished it stays on the screen.
func (m *lineEditor) View() tea.View {
	head := lipgloss.Width(m.prompt)
	rows, row, column := m.line.Draw(max(10, m.width-head-1))
	for i := range rows {
		if i == 0 {
			rows[i] = m.prompt + rows[i]
			continue
		}
		rows[i] = strings.Repeat(" ", head) + rows[i]
	}
	v := tea.NewView(strings.Join(rows, "\n"))
	if m.over {
		v.Content += "\n"
		return v
	}
	v.Cursor = tea.NewCursor(head+column, row)
	return v
}
