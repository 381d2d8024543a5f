package watch

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// view draws the model.
type view struct{ *model }

// draw draws the whole screen: a header with the state, the cards or one text, and
// a footer with the keys.
func (v view) draw() tea.View {
	head := v.header()
	foot, cursor := v.footer()
	rows := max(1, v.height-len(head)-len(foot))
	content := v.content(rows)
	for len(content) < rows {
		content = append(content, "")
	}
	lines := append(append(head, content[:rows]...), foot...)
	view := tea.NewView(strings.Join(lines, "\n"))
	view.AltScreen = true
	view.WindowTitle = v.title()
	if cursor != nil {
		view.Cursor = tea.NewCursor(cursor.X, cursor.Y+len(head)+rows)
	}
	return view
}

func (m *model) page(columns int) show.Page {
	return show.Page{Layout: term.Layout{Printer: m.Printer, Palette: m.Palette, Columns: columns, Terminal: true, Now: m.now()}, Locations: m.locations}
}

func (v view) title() string {
	if n := v.waiting(); n > 0 {
		return "nod (" + strconv.Itoa(n) + ")"
	}
	return "nod"
}

func (v view) header() []string {
	p := v.page(v.width)
	agents := show.Alive(v.state.Snapshot().Agents)
	var text string
	t := term.Quiet
	switch n := v.waiting(); {
	case n > 0:
		text, t = term.SymbolAsks+" "+v.Count(words.WaitForYou, n), term.Asks
	case v.link == away: // never "all quiet" without a connection
		text = term.SymbolAway + " " + v.Say(words.NotConnected)
	case !v.seen:
		text = v.Say(words.WatchLooking, v.where)
	case len(agents) == 0:
		text = term.SymbolQuiet + " " + v.Say(words.AllQuiet)
	default:
		text = term.SymbolQuiet + " " + show.AllQuietText(p, agents)
	}
	lines := []string{v.Paint(term.Strong, "nod") + "  " + v.Paint(t, term.Fold(text, v.width-5))}
	if v.link == away {
		for _, l := range term.Wrap(term.SymbolAway+" "+v.disconnectReason, v.width) {
			lines = append(lines, v.Paint(term.Bad, l))
		}
	}
	if line := v.leaseLine(); line != "" {
		lines = append(lines, v.Paint(term.Held, line))
	}
	return append(lines, v.separator())
}

func (v view) separator() string { return v.Paint(term.Quiet, strings.Repeat("─", v.width)) }

// footer is the notice, the prompt and the keys. The cursor is relative to its first
// line.
func (v view) footer() (lines []string, cursor *tea.Position) {
	lines = append(lines, v.separator())
	add := func(t term.Tone, text string) {
		for _, l := range term.Wrap(text, v.width) {
			lines = append(lines, v.Paint(t, l))
		}
	}
	switch {
	case v.notice != "":
		add(v.noticeTone, v.notice)
	case v.mode == listing && v.lastOwn != nil && v.card(v.lastOwn.r.ID) == nil: // otherwise the card itself says so
		t, text := cardView{v.model, v.lastOwn}.outcome()
		add(t, text)
	}
	if v.mode == typing || v.mode == confirming {
		asking, at := v.promptLines()
		if at != nil {
			at.Y += len(lines)
		}
		return append(lines, asking...), at
	}
	for _, l := range v.keyLines() {
		add(term.Quiet, l)
	}
	return lines, nil
}

// promptLines draws the prompt.
func (v view) promptLines() (lines []string, cursor *tea.Position) {
	for _, l := range term.Wrap(v.prompt.question, v.width) {
		lines = append(lines, v.Paint(term.Strong, l))
	}
	p := v.page(v.width)
	lines = append(lines, show.OptionLines(p, v.prompt.options, show.ByNumber)...)
	if v.mode == typing {
		rows, y, x := v.typed.Draw(v.width - 4)
		cursor = &tea.Position{X: x + 2, Y: y + len(lines)}
		for i, row := range rows {
			lead := "  "
			if i == 0 {
				lead = "> "
			}
			lines = append(lines, lead+row)
		}
	}
	return append(lines, v.Paint(term.Quiet, v.Say(v.promptKeys()))), cursor
}

// keyLines explain the keys that do something now.
func (v view) keyLines() []string {
	switch v.mode {
	case helping:
		return []string{v.Say(words.KeysClose)}
	case reading:
		return v.withCardKeys(words.KeysDetails)
	}
	return v.withCardKeys(words.KeysList)
}

func (v view) withCardKeys(rest words.Message) []string {
	keys := v.Say(rest)
	if len(v.liveLeases()) > 0 {
		keys = v.Say(words.KeysLeases) + " · " + keys
	}
	if c := v.current(); c != nil && !c.isDone() && !c.sending {
		return append(v.cardKeys(c), keys)
	}
	return []string{keys}
}

// content is the middle of the screen.
func (v view) content(rows int) []string {
	m := v.mode
	if m == typing || m == confirming {
		m = v.beneath
	}
	switch m {
	case helping:
		return v.helpPage()
	case reading:
		if c := v.current(); c != nil {
			return v.readingPage(c, rows)
		}
	}
	lines, _ := v.listPage(rows)
	return lines
}

func (v view) helpPage() []string {
	rows := [][2]string{
		{"j k ↓ ↑", v.Say(words.HelpMove)},
		{"a", v.Say(words.HelpAllow)},
		{"L", v.Say(words.HelpLease)},
		{"A", v.Say(words.HelpAlways)},
		{"d", v.Say(words.HelpDeny)},
		{"e", v.Say(words.HelpEdit)},
		{"s", v.Say(words.HelpStop)},
		{"X", v.Say(words.HelpStopAll)},
		{"R", v.Say(words.HelpRevoke)},
		{"1–9", v.Say(words.HelpChoose)},
		{"t", v.Say(words.HelpText)},
		{"enter space", v.Say(words.HelpDetails)},
		{"q", v.Say(words.HelpQuit)},
	}
	return append([]string{""}, strings.Split(term.TwoColumns(rows), "\n")...)
}

// cardKeys are the keys that do something with the chosen card.
func (v view) cardKeys(c *card) []string {
	var keys []string
	add := func(does bool, key string, m words.Message) {
		if does {
			keys = append(keys, key+" "+v.Say(m))
		}
	}
	if answer.IsQuestion(c.r) {
		v.questionKeys(c, add)
	} else {
		add(true, "a", words.KeyAllow)
		add(len(answer.Options(c.r, nod.OptionLease)) > 0, "L", words.KeyLease)
		add(len(answer.Options(c.r, nod.OptionAlways)) > 0, "A", words.KeyAlways)
		add(len(answer.Options(c.r, nod.OptionMode)) > 0, "1–9", words.KeyMode)
		add(true, "d", words.KeyDeny)
		add(c.r.CanEdit, "e", words.KeyEdit)
		add(v.mode != reading, "enter", words.KeyDetails)
	}
	add(true, "s", words.KeyStop)
	return flowKeys(keys, v.width)
}

func (v view) questionKeys(c *card, add func(bool, string, words.Message)) {
	var q nod.Question
	answered := false
	if len(c.drafts) > 0 {
		q, answered = c.r.Questions[c.question], !c.drafts[c.question].empty()
	}
	add(len(q.Choices) > 0, "1–9", words.KeyChoose)
	add(q.Text != "" && (q.FreeText || len(q.Choices) == 0), "t", words.KeyText)
	add(v.mode == reading && q.Multi, "space", words.KeyToggle)
	add(v.mode == reading || answered, "enter", words.KeySend)
	add(v.mode != reading && !answered, "enter", words.KeyDetails)
	add(len(c.drafts) == 0, "a", words.KeyAllow)
	add(true, "d", words.KeyDeny)
}

// flowKeys puts as many keys on a line as fit, and breaks only between them.
func flowKeys(keys []string, cells int) []string {
	var lines []string
	for _, k := range keys {
		last := len(lines) - 1
		if last >= 0 && lipgloss.Width(lines[last]+" · "+k) <= cells {
			lines[last] += " · " + k
			continue
		}
		lines = append(lines, k)
	}
	return lines
}
