package watch

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// View draws the whole screen: a header that says how things stand, the cards
// or one text, and a footer that says what the keys do.
func (w *watch) View() tea.View {
	head := w.header()
	foot, cursor := w.footer()
	room := max(1, w.height-len(head)-len(foot))
	content := w.content(room)
	for len(content) < room {
		content = append(content, "")
	}
	lines := append(append(head, content[:room]...), foot...)
	view := tea.NewView(strings.Join(lines, "\n"))
	view.AltScreen = true
	view.WindowTitle = w.title()
	if cursor != nil {
		view.Cursor = tea.NewCursor(cursor.X, cursor.Y+len(head)+room)
	}
	return view
}

func (w *watch) page(columns int) show.Page {
	return show.Page{Layout: term.Layout{Printer: w.Printer, Palette: w.Palette, Columns: columns, Terminal: true, Now: w.now()}, Locations: w.at}
}

func (w *watch) title() string {
	if n := w.waiting(); n > 0 {
		return "nod (" + strconv.Itoa(n) + ")"
	}
	return "nod"
}

func (w *watch) waiting() int {
	n := 0
	for _, c := range w.cards {
		if !c.done() {
			n++
		}
	}
	return n
}

func (w *watch) header() []string {
	p := w.page(w.width)
	agents := show.Alive(w.state.Snapshot().Agents)
	var text string
	t := term.Quiet
	switch n := w.waiting(); {
	case n > 0:
		text, t = term.SymbolAsks+" "+w.Count(words.WaitForYou, n), term.Asks
	case w.link == away: // never "all quiet" when nothing can be heard
		text = term.SymbolAway + " " + w.Say(words.NotConnected)
	case !w.seen:
		text = w.Say(words.WatchLooking, w.where)
	case len(agents) == 0:
		text = term.SymbolQuiet + " " + w.Say(words.AllQuiet)
	default:
		text = term.SymbolQuiet + " " + show.AllQuietText(p, agents)
	}
	lines := []string{w.Paint(term.Strong, "nod") + "  " + w.Paint(t, term.Fold(text, w.width-5))}
	if w.link == away {
		for _, l := range term.Wrap(term.SymbolAway+" "+w.why, w.width) {
			lines = append(lines, w.Paint(term.Bad, l))
		}
	}
	if line := w.leaseLine(); line != "" {
		lines = append(lines, w.Paint(term.Held, line))
	}
	return append(lines, w.rule())
}

func (w *watch) rule() string { return w.Paint(term.Quiet, strings.Repeat("─", w.width)) }

// footer is what was just said, what is asked, and the keys. The cursor is told
// relative to its first line.
func (w *watch) footer() (lines []string, cursor *tea.Position) {
	lines = append(lines, w.rule())
	add := func(t term.Tone, text string) {
		for _, l := range term.Wrap(text, w.width) {
			lines = append(lines, w.Paint(t, l))
		}
	}
	switch {
	case w.notice != "":
		add(w.shout, w.notice)
	case w.mode == listing && w.last != nil && w.card(w.last.r.ID) == nil: // else the card itself says so
		t, text := w.outcome(w.last)
		add(t, text)
	}
	if w.mode == typing || w.mode == confirming {
		asking, at := w.asking()
		if at != nil {
			at.Y += len(lines)
		}
		return append(lines, asking...), at
	}
	for _, l := range w.keyLines() {
		add(term.Quiet, l)
	}
	return lines, nil
}

// asking draws the question that lies over the rest.
func (w *watch) asking() (lines []string, cursor *tea.Position) {
	for _, l := range term.Wrap(w.asked.question, w.width) {
		lines = append(lines, w.Paint(term.Strong, l))
	}
	p := w.page(w.width)
	lines = append(lines, show.OptionLines(p, w.asked.options, show.ByNumber)...)
	if w.mode == typing {
		rows, y, x := w.typed.Draw(w.width - 4)
		cursor = &tea.Position{X: x + 2, Y: y + len(lines)}
		for i, row := range rows {
			lead := "  "
			if i == 0 {
				lead = "> "
			}
			lines = append(lines, lead+row)
		}
	}
	return append(lines, w.Paint(term.Quiet, w.Say(w.askedKeys()))), cursor
}

// keyLines name the keys that do something now.
func (w *watch) keyLines() []string {
	switch w.mode {
	case helping:
		return []string{w.Say(words.KeysClose)}
	case reading:
		return w.withCardKeys(words.KeysDetails)
	}
	return w.withCardKeys(words.KeysList)
}

func (w *watch) withCardKeys(rest words.Message) []string {
	keys := w.Say(rest)
	if len(w.liveLeases()) > 0 {
		keys = w.Say(words.KeysLeases) + " · " + keys
	}
	if c := w.current(); c != nil && !c.done() && !c.sending {
		return append(w.cardKeys(c), keys)
	}
	return []string{keys}
}

// content is the middle of the screen.
func (w *watch) content(room int) []string {
	m := w.mode
	if m == typing || m == confirming {
		m = w.under
	}
	switch m {
	case helping:
		return w.helpPage()
	case reading:
		if c := w.current(); c != nil {
			return w.readingPage(c, room)
		}
	}
	lines, _ := w.listPage(room)
	return lines
}

func (w *watch) helpPage() []string {
	rows := [][2]string{
		{"j k ↓ ↑", w.Say(words.HelpMove)},
		{"a", w.Say(words.HelpAllow)},
		{"L", w.Say(words.HelpLease)},
		{"A", w.Say(words.HelpAlways)},
		{"d", w.Say(words.HelpDeny)},
		{"e", w.Say(words.HelpEdit)},
		{"s", w.Say(words.HelpStop)},
		{"X", w.Say(words.HelpStopAll)},
		{"R", w.Say(words.HelpRevoke)},
		{"1–9", w.Say(words.HelpChoose)},
		{"t", w.Say(words.HelpText)},
		{"enter space", w.Say(words.HelpDetails)},
		{"q", w.Say(words.HelpQuit)},
	}
	return append([]string{""}, strings.Split(term.TwoColumns(rows), "\n")...)
}
