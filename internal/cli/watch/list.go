package watch

import (
	"fmt"
	"strconv"
	"strings"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// mostText is how much of the chosen card's text the list shows at most.
const mostText = 12

// onScreen are the cards that are drawn now.
func (w *watch) onScreen() []*card {
	if w.mode == reading || w.mode != listing && w.under == reading {
		if c := w.current(); c != nil {
			return []*card{c}
		}
	}
	_, cards := w.listPage(w.room())
	return cards
}

func (w *watch) room() int {
	foot, _ := w.footer()
	return max(1, w.height-len(w.header())-len(foot))
}

// listPage draws the cards around the chosen one, then the agents as far as
// there is room, and tells which cards are on it.
func (w *watch) listPage(room int) (lines []string, drawn []*card) {
	blocks := make([][]string, len(w.cards))
	short := w.short()
	for i, c := range w.cards {
		blocks[i] = append(w.cardLines(c, short[c.r.ID], room), "")
	}
	first := w.firstBlock(blocks, room)
	if first > 0 {
		lines = append(lines, w.Paint(term.Quiet, "  ↑ "+w.Count(words.WatchAbove, first)))
	}
	for i := first; i < len(blocks); i++ {
		left := room - len(lines)
		if more := len(blocks) - i; i > first && len(blocks[i]) > left && (more > 1 || len(blocks[i])-1 > left) {
			if left == 0 { // the blank line after the last card makes way
				lines = lines[:len(lines)-1]
			}
			return append(lines, w.Paint(term.Quiet, "  ↓ "+w.Count(words.WatchMore, more))), drawn
		}
		lines = append(lines, blocks[i]...)
		drawn = append(drawn, w.cards[i])
	}
	lines = append(lines, w.automaticLines(room-len(lines))...)
	return append(lines, w.agentLines(room-len(lines))...), drawn
}

// firstBlock is where to begin so that the chosen card is whole on the screen,
// with a line to spare for what is above and below.
func (w *watch) firstBlock(blocks [][]string, room int) int {
	at := w.index()
	if at < 0 {
		return 0
	}
	first, height := at, len(blocks[at])
	for first > 0 && height+len(blocks[first-1])+2 <= room {
		first--
		height += len(blocks[first])
	}
	return first
}

func (w *watch) agentLines(room int) []string {
	p := w.page(w.width)
	agents := show.Alive(w.state.Snapshot().Agents)
	if len(agents) == 0 {
		if len(w.cards) > 0 || !w.seen {
			return nil
		}
		return strings.Split(p.Wrap(w.Say(words.NoAgents)), "\n")
	}
	if room < 2 {
		return nil
	}
	lines := []string{w.Paint(term.Quiet, w.Say(words.AgentsTitle))}
	for _, a := range agents {
		lines = append(lines, show.AgentLine(p, a, show.StateWidth(p, agents)))
		if a.NeedsYou != "" && a.State != nod.AgentWaiting {
			lines = append(lines, w.Paint(term.Asks, "  "+term.Fold(term.SymbolAsks+" "+nod.OneLine(a.NeedsYou), w.width-2)))
		}
	}
	return lines[:min(len(lines), room)]
}

// cardLines draws one card: two lines, or all that fits when it is chosen.
func (w *watch) cardLines(c *card, short string, room int) []string {
	p := w.page(w.width - 2)
	status := w.status(c)
	head := show.HeadLine(p, c.r, short, "")
	if len(status) == 0 {
		head = show.RequestHead(p, c.r, short)
	}
	if c.r.ID != w.chosen {
		line := c.titleLine(p, w.width-4)
		if len(status) > 0 {
			line = status[0]
		}
		return []string{"  " + head, "    " + line}
	}
	lines := []string{w.Paint(term.Asks, "▸") + " " + head}
	if len(c.r.Questions) > 0 {
		lines = append(lines, w.questionLines(c, false)...)
	} else {
		lines = append(lines, w.textLines(c, room)...)
	}
	if risk := show.RiskText(p, c.r.Risk, w.width-4); risk != "" {
		lines = append(lines, "    "+risk)
	}
	lines = append(lines, w.modeLines(c)...)
	if text := show.AnswerDelay(p, c.r); text != "" {
		for _, l := range term.Wrap(text, w.width-4) {
			lines = append(lines, "    "+w.Paint(term.Quiet, l))
		}
	}
	return append(lines, indented(status, 4)...)
}

func indented(lines []string, by int) []string {
	moved := make([]string, len(lines))
	for i, l := range lines {
		moved[i] = strings.Repeat(" ", by) + l
	}
	return moved
}

// textLines is the text of the chosen card. What does not fit is left out of
// the middle and counted; the end always shows.
func (w *watch) textLines(c *card, room int) []string {
	text := c.text(w.width - 4)
	if most := w.textRoom(room); len(text) > most {
		head := (most - 1) * 3 / 5
		tail := most - 1 - head
		mark := fmt.Sprintf("⟨… %d …⟩ %s", len(text)-head-tail, w.Say(words.WatchFolded))
		short := append([]string{}, text[:head]...)
		short = append(short, w.Paint(term.Asks, term.Fold(mark, w.width-4)))
		text = append(short, text[len(text)-tail:]...)
	}
	return indented(text, 4)
}

func (w *watch) textRoom(room int) int { return max(3, min(mostText, room-6)) }

// folded reports whether the list leaves out a part of the card's text.
func (w *watch) folded(c *card) bool {
	return len(c.text(w.width-4)) > w.textRoom(w.room())
}

// modeLines are the ways in which a plan can go on.
func (w *watch) modeLines(c *card) []string {
	if c.r.Kind != nod.KindPlan || c.done() {
		return nil
	}
	var lines []string
	for i, o := range answer.Options(c.r, nod.OptionMode) {
		text := nod.OneLine(o.ID)
		if o.Label != "" && o.Label != o.ID {
			text += ": " + nod.OneLine(o.Label)
		}
		lines = append(lines, "    "+w.Paint(term.Strong, strconv.Itoa(i+1))+" "+term.Fold(text, w.width-6))
	}
	return lines
}
