package watch

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/client"
	"nod/internal/present/words"
)

// watch is the live view: what the hub said, what the person is doing, and how
// it is drawn. It changes only in Update.
type watch struct {
	words.Printer
	term.Palette
	now     func() time.Time
	hub     hubCalls
	where   string
	colours bool
	explain func(error) string

	state nod.State
	at    *show.Locations
	cards []*card
	auto  []automaticAnswer
	last  *card // one's own newest decision: its outcome stays readable when the card has left

	chosen nod.RequestID
	moved  time.Time // when something came under the cursor by itself
	mode   mode
	under  mode // what a question or the help lies on: list or reading
	scroll int
	typed  term.Input
	toSend func(text string) tea.Cmd // what enter does with the typed line
	asked  prompt

	link   link
	seen   bool   // the hub has told its state at least once
	why    string // the link is down because
	notice string
	shout  term.Tone
	told   time.Time

	width, height int
}

// mode is what keys mean now.
type mode uint8

const (
	listing mode = iota
	reading
	typing
	confirming
	helping
)

// link is the connection to the hub.
type link uint8

const (
	looking link = iota
	connected
	away
)

// What comes from outside.
type (
	freshMsg   struct{ snap nod.Snapshot }
	newsMsg    struct{ event nod.Event }
	awayMsg    struct{ err error }
	backMsg    struct{}
	tickMsg    struct{}
	decidedMsg struct {
		id     nod.RequestID
		answer nod.Answer
		err    error
	}
	revokedMsg struct {
		lease *nod.Lease
		err   error
	}
	stoppedMsg struct {
		count client.Stopped
		err   error
	}
	shownMsg struct {
		id  nod.RequestID
		err error
	}
)

func (w *watch) Init() tea.Cmd { return tea.Batch(tick(), tea.RequestBackgroundColor) }

// tick lets ages grow and settled cards leave, once a second: the only thing
// that moves by itself.
func tick() tea.Cmd {
	return tea.Every(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (w *watch) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = max(20, msg.Width), max(8, msg.Height)
	case tea.BackgroundColorMsg:
		w.setBackground(msg.IsDark())
	case tea.KeyPressMsg:
		cmd = w.key(msg)
	case tea.PasteMsg:
		if w.mode == typing {
			w.typed.Insert(msg.Content)
		}
	case tickMsg:
		w.gather()
		w.forget()
		cmd = tick()
	default:
		cmd = w.hear(msg)
	}
	return w, tea.Batch(cmd, w.reportShown())
}

// hear takes in what the hub says.
func (w *watch) hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case freshMsg:
		w.state, w.seen = show.StateOf(msg.snap), true
		w.gather()
	case newsMsg:
		w.state.Apply(&msg.event)
		w.noteAutomatic(&msg.event)
		w.gather()
	case awayMsg:
		w.link, w.why = away, w.awayReason(msg.err)
	case backMsg:
		w.link, w.why, w.notice = connected, "", ""
		for _, c := range w.cards {
			c.shown = c.shown && !c.unreported
		}
	case decidedMsg:
		w.decided(msg)
	case revokedMsg:
		w.revoked(msg)
	case stoppedMsg:
		w.stopped(msg)
	case shownMsg:
		if c := w.card(msg.id); c != nil {
			c.unreported = msg.err != nil
		}
	}
	return nil
}

// awayReason is the usual one, unless the hub is there and refuses.
func (w *watch) awayReason(err error) string {
	switch nod.CodeOf(err) {
	case nod.Unauthorized, nod.Forbidden:
		return w.Say(words.WatchRefused, w.explain(err))
	}
	return w.Say(words.WatchAway, w.where)
}

func (w *watch) decided(msg decidedMsg) {
	c := w.card(msg.id)
	if c == nil {
		return
	}
	c.sending = false
	if msg.err == nil {
		c.mine = &msg.answer
		w.last = c
		if w.mode == reading && w.chosen == msg.id {
			w.mode = listing
		}
		return
	}
	w.tell(term.Bad, w.explain(msg.err))
}

// tell says something once, at the bottom, until the next key.
func (w *watch) tell(t term.Tone, text string) { w.notice, w.shout, w.told = text, t, w.now() }

// forget clears what has been said long enough: "just now" must not stay there
// for an hour.
func (w *watch) forget() {
	now := w.now()
	if now.Sub(w.told) >= 2*lingers {
		w.notice = ""
	}
	w.auto = slices.DeleteFunc(w.auto, func(a automaticAnswer) bool { return now.Sub(a.at) >= lingersAuto })
	if w.last != nil && now.Sub(later(w.last.settled, w.last.stepped)) >= lingersOn {
		w.last = nil
	}
}

func (w *watch) setBackground(dark bool) {
	switch {
	case !w.colours:
	case dark:
		w.Palette = term.DarkPalette()
	default:
		w.Palette = term.LightPalette()
	}
}

// reportShown tells the hub which cards are now before a person's eyes.
func (w *watch) reportShown() tea.Cmd {
	if w.link != connected {
		return nil
	}
	var cmds []tea.Cmd
	for _, c := range w.onScreen() {
		if c.shown || c.r.Settled() {
			continue
		}
		c.shown = true
		id, shown := c.r.ID, w.hub.shown
		cmds = append(cmds, func() tea.Msg { return shownMsg{id, shown(id)} })
	}
	return tea.Batch(cmds...)
}
