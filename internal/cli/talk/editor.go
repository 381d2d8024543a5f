package talk

import (
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod/internal/cli/term"
)

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
