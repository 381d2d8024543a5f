package watch

import (
	tea "charm.land/bubbletea/v2"
)

// key gives a key to whoever it is meant for now.
func (w *watch) key(msg tea.KeyPressMsg) tea.Cmd {
	w.notice = ""
	key := msg.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	switch w.mode {
	case typing:
		return w.keyTyping(key, msg)
	case confirming:
		return w.keyConfirming(key)
	case helping:
		w.mode = w.under
		return nil
	case reading:
		return w.keyReading(key)
	}
	return w.keyListing(key)
}

func (w *watch) keyListing(key string) tea.Cmd {
	c := w.current()
	switch key {
	case "q":
		return tea.Quit
	case "?":
		w.mode, w.under = helping, listing
	case "X":
		w.redButton()
	case "R":
		w.chooseLease()
	case "j", "down":
		w.move(+1)
	case "k", "up":
		w.move(-1)
	case "enter":
		if c != nil && c.isQuestion() && len(c.drafts) > 0 && !c.drafts[c.question].empty() {
			return w.act(c, func() tea.Cmd { return w.advance(c) })
		}
		w.read(c)
	case "space":
		w.read(c)
	default:
		return w.keyCard(c, key)
	}
	return nil
}

func (w *watch) read(c *card) {
	if c != nil {
		w.mode, w.scroll = reading, 0
	}
}

func (w *watch) keyReading(key string) tea.Cmd {
	c := w.current()
	choosing := c != nil && len(c.drafts) > 0 && len(c.drafts[c.question].picked) > 0
	switch key {
	case "esc", "q", "backspace":
		w.mode = listing
		w.gather()
	case "?":
		w.mode, w.under = helping, reading
	case "X":
		w.redButton()
	case "R":
		w.chooseLease()
	case "pgdown", "ctrl+f":
		w.scroll += w.roomToRead()
	case "pgup", "ctrl+b":
		w.scroll -= w.roomToRead()
	case "home", "g":
		w.scroll = 0
	case "end", "G":
		w.scroll = 1 << 30
	case "j", "down":
		w.step(c, choosing, +1)
	case "k", "up":
		w.step(c, choosing, -1)
	case "space":
		if choosing {
			return w.act(c, func() tea.Cmd { c.choose(c.cursor); return nil })
		}
		w.scroll += w.roomToRead()
	case "enter":
		if c != nil && len(c.drafts) > 0 {
			return w.act(c, func() tea.Cmd { return w.advance(c) })
		}
		w.mode = listing
	default:
		return w.keyCard(c, key)
	}
	w.scroll = min(max(0, w.scroll), w.lastScroll())
	return nil
}

// step moves among the choices of a question, or scrolls a text.
func (w *watch) step(c *card, choosing bool, by int) {
	if !choosing {
		w.scroll += by
		return
	}
	c.cursor = min(max(0, c.cursor+by), len(c.drafts[c.question].picked)-1)
}

// keyCard answers, or opens what is needed for an answer.
func (w *watch) keyCard(c *card, key string) tea.Cmd {
	if c == nil {
		return nil
	}
	switch key {
	case "a":
		return w.act(c, func() tea.Cmd { return w.allow(c) })
	case "A":
		return w.act(c, func() tea.Cmd { w.always(c); return nil })
	case "L":
		return w.act(c, func() tea.Cmd { w.lease(c); return nil })
	case "d":
		return w.act(c, func() tea.Cmd { w.deny(c); return nil })
	case "e":
		return w.act(c, func() tea.Cmd { w.edit(c); return nil })
	case "s":
		return w.act(c, func() tea.Cmd { w.stop(c); return nil })
	case "t":
		return w.act(c, func() tea.Cmd { w.askText(c); return nil })
	case "tab", "right", "l":
		if len(c.drafts) > 1 {
			c.turnTo(c.question + 1)
		}
	case "shift+tab", "left", "h":
		if len(c.drafts) > 1 {
			c.turnTo(c.question - 1)
		}
	}
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		return w.act(c, func() tea.Cmd { w.number(c, int(key[0]-'1')); return nil })
	}
	return nil
}
