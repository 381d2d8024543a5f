package watch

import (
	"nod/internal/cli/answer"

	tea "charm.land/bubbletea/v2"
)

// keys handles key presses.
type keys struct{ *model }

// press handles a key in the current mode.
func (k keys) press(msg tea.KeyPressMsg) tea.Cmd {
	k.notice = ""
	key := msg.String()
	if key == "ctrl+c" {
		return tea.Quit
	}
	switch k.mode {
	case typing:
		return k.keyTyping(key, msg)
	case confirming:
		return k.keyConfirming(key)
	case helping:
		k.mode = k.beneath
		return nil
	case reading:
		return k.keyReading(key)
	}
	return k.keyListing(key)
}

func (k keys) keyListing(key string) tea.Cmd {
	c := k.current()
	switch key {
	case "q":
		return tea.Quit
	case "?":
		k.mode, k.beneath = helping, listing
	case "X":
		k.confirmStopAll()
	case "R":
		k.confirmRevoke()
	case "j", "down":
		k.move(+1)
	case "k", "up":
		k.move(-1)
	case "enter":
		if c != nil && answer.IsQuestion(c.r) && len(c.drafts) > 0 && !c.drafts[c.question].empty() {
			return k.actOn(c, func() tea.Cmd { return k.advance(c) })
		}
		k.openDetails(c)
	case "space":
		k.openDetails(c)
	default:
		return k.keyCard(c, key)
	}
	return nil
}

func (k keys) openDetails(c *card) {
	if c != nil {
		k.mode, k.scroll = reading, 0
	}
}

func (k keys) keyReading(key string) tea.Cmd {
	c := k.current()
	choosing := c != nil && len(c.drafts) > 0 && len(c.drafts[c.question].picked) > 0
	switch key {
	case "esc", "q", "backspace":
		k.mode = listing
		k.syncCards()
	case "?":
		k.mode, k.beneath = helping, reading
	case "X":
		k.confirmStopAll()
	case "R":
		k.confirmRevoke()
	case "pgdown", "ctrl+f":
		k.scroll += k.view().pageRows()
	case "pgup", "ctrl+b":
		k.scroll -= k.view().pageRows()
	case "home", "g":
		k.scroll = 0
	case "end", "G":
		k.scroll = 1 << 30
	case "j", "down":
		k.step(c, choosing, +1)
	case "k", "up":
		k.step(c, choosing, -1)
	case "space":
		if choosing {
			return k.actOn(c, func() tea.Cmd { c.choose(c.cursor); return nil })
		}
		k.scroll += k.view().pageRows()
	case "enter":
		if c != nil && len(c.drafts) > 0 {
			return k.actOn(c, func() tea.Cmd { return k.advance(c) })
		}
		k.mode = listing
	default:
		return k.keyCard(c, key)
	}
	k.scroll = min(max(0, k.scroll), k.view().lastScroll())
	return nil
}

// step moves among the choices of a question, or scrolls a text.
func (k keys) step(c *card, choosing bool, by int) {
	if !choosing {
		k.scroll += by
		return
	}
	c.cursor = min(max(0, c.cursor+by), len(c.drafts[c.question].picked)-1)
}

// keyCard answers a card, or opens the prompt that its answer needs.
func (k keys) keyCard(c *card, key string) tea.Cmd {
	if c == nil {
		return nil
	}
	open := map[string]func(*card){"A": k.always, "L": k.lease, "d": k.deny, "e": k.edit, "s": k.stop, "t": k.askText}
	if prompt := open[key]; prompt != nil {
		return k.actOn(c, func() tea.Cmd { prompt(c); return nil })
	}
	switch key {
	case "a":
		return k.actOn(c, func() tea.Cmd { return k.allow(c) })
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
		return k.actOn(c, func() tea.Cmd { k.number(c, int(key[0]-'1')); return nil })
	}
	return nil
}
