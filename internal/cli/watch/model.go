package watch

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	v1 "nod/internal/client/v1"
	"nod/internal/present/words"
)

// model is the state of the live view: what the hub said and what the person is
// doing. It changes only in Update.
type model struct {
	words.Printer
	term.Palette
	now     func() time.Time
	hub     hubCalls
	where   string
	colours bool
	explain func(error) string

	cardList
	state     nod.State
	locations *show.Locations
	automatic []automaticAnswer
	lastOwn   *card // our newest decision: its outcome stays visible when the card is gone

	mode    mode
	beneath mode // what a prompt or the help covers: listing or reading
	scroll  int
	typed   term.Input
	onEnter func(text string) tea.Cmd // what enter does with the typed text
	prompt  prompt

	link             link
	seen             bool   // at least one snapshot has arrived
	disconnectReason string // why there is no connection
	notice           string
	noticeTone       term.Tone
	noticeAt         time.Time

	width, height int
}

// mode decides what keys mean.
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

// Messages from outside.
type (
	snapshotMsg     struct{ snap nod.Snapshot }
	eventMsg        struct{ event nod.Event }
	disconnectedMsg struct{ err error }
	connectedMsg    struct{}
	tickMsg         struct{}
	decidedMsg      struct {
		id     nod.RequestID
		answer nod.Answer
		err    error
	}
	revokedMsg struct {
		lease *nod.Lease
		err   error
	}
	stoppedMsg struct {
		count v1.Stopped
		err   error
	}
	shownMsg struct {
		id  nod.RequestID
		err error
	}
)

func (m *model) Init() tea.Cmd { return tea.Batch(tick(), tea.RequestBackgroundColor) }

func (m *model) View() tea.View { return m.view().draw() }

func (m *model) view() view { return view{m} }

// tick updates ages and removes settled cards once a second.
func tick() tea.Cmd {
	return tea.Every(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(20, msg.Width), max(8, msg.Height)
	case tea.BackgroundColorMsg:
		m.setBackground(msg.IsDark())
	case tea.KeyPressMsg:
		cmd = keys{m}.press(msg)
	case tea.PasteMsg:
		if m.mode == typing {
			m.typed.Insert(msg.Content)
		}
	case tickMsg:
		m.syncCards()
		m.clearOld()
		cmd = tick()
	default:
		cmd = m.receive(msg)
	}
	return m, tea.Batch(cmd, m.reportShown())
}

// receive handles what comes from the hub.
func (m *model) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshotMsg:
		m.state, m.seen = show.StateOf(msg.snap), true
		m.syncCards()
	case eventMsg:
		m.state.Apply(&msg.event)
		m.addAutomatic(&msg.event)
		m.syncCards()
	case disconnectedMsg:
		m.link, m.disconnectReason = away, m.awayReason(msg.err)
	case connectedMsg:
		m.link, m.disconnectReason, m.notice = connected, "", ""
		for _, c := range m.cards {
			c.shown = c.shown && !c.unreported
		}
	case decidedMsg:
		m.decided(msg)
	case revokedMsg:
		m.revoked(msg)
	case stoppedMsg:
		m.stopped(msg)
	case shownMsg:
		if c := m.card(msg.id); c != nil {
			c.unreported = msg.err != nil
		}
	}
	return nil
}

// syncCards brings the cards in line with the state.
func (m *model) syncCards() {
	m.locations = show.LocationsOf(&m.state)
	now := m.now()
	m.sync(&m.state, now)
	m.dropExpired(now, m.mode != listing && m.mode != helping)
}

// awayReason says why there is no connection; a hub may also refuse.
func (m *model) awayReason(err error) string {
	switch nod.CodeOf(err) {
	case nod.Unauthorized, nod.Forbidden:
		return m.Say(words.WatchRefused, m.explain(err))
	}
	return m.Say(words.WatchAway, m.where)
}

func (m *model) decided(msg decidedMsg) {
	c := m.card(msg.id)
	if c == nil {
		return
	}
	c.sending = false
	if msg.err == nil {
		c.ownAnswer = &msg.answer
		m.lastOwn = c
		if m.mode == reading && m.chosen == msg.id {
			m.mode = listing
		}
		return
	}
	m.notify(term.Bad, m.explain(msg.err))
}

// notify shows a text at the bottom until the next key.
func (m *model) notify(t term.Tone, text string) {
	m.notice, m.noticeTone, m.noticeAt = text, t, m.now()
}

// clearOld removes old notices: "just now" must not stay for an hour.
func (m *model) clearOld() {
	now := m.now()
	if now.Sub(m.noticeAt) >= 2*stayTime {
		m.notice = ""
	}
	m.automatic = slices.DeleteFunc(m.automatic, func(a automaticAnswer) bool { return now.Sub(a.at) >= automaticStayTime })
	if m.lastOwn != nil && now.Sub(later(m.lastOwn.settledAt, m.lastOwn.stepAt)) >= ownStayTime {
		m.lastOwn = nil
	}
}

func (m *model) setBackground(dark bool) {
	switch {
	case !m.colours:
	case dark:
		m.Palette = term.DarkPalette()
	default:
		m.Palette = term.LightPalette()
	}
}

// reportShown tells the hub which cards a person can see now.
func (m *model) reportShown() tea.Cmd {
	if m.link != connected {
		return nil
	}
	var cmds []tea.Cmd
	for _, c := range m.view().onScreen() {
		if c.shown || c.r.Settled() {
			continue
		}
		c.shown = true
		id, shown := c.r.ID, m.hub.shown
		cmds = append(cmds, func() tea.Msg { return shownMsg{id, shown(id)} })
	}
	return tea.Batch(cmds...)
}
