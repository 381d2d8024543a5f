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

// mostText is how many lines of the chosen card's text the list shows.
const mostText = 12

// onScreen are the cards that are visible now.
func (v view) onScreen() []*card {
	if v.mode == reading || v.mode != listing && v.beneath == reading {
		if c := v.current(); c != nil {
			return []*card{c}
		}
	}
	_, cards := v.listPage(v.contentRows())
	return cards
}

func (v view) contentRows() int {
	foot, _ := v.footer()
	return max(1, v.height-len(v.header())-len(foot))
}

// listPage draws the cards around the chosen one, then the agents as far as there
// is room. drawn are the cards on it.
func (v view) listPage(rows int) (lines []string, drawn []*card) {
	blocks := make([][]string, len(v.cards))
	short := v.shortIDs()
	for i, c := range v.cards {
		blocks[i] = append(cardView{v.model, c}.lines(short[c.r.ID], rows), "")
	}
	first := v.firstBlock(blocks, rows)
	if first > 0 {
		lines = append(lines, v.Paint(term.Quiet, "  ↑ "+v.Count(words.WatchAbove, first)))
	}
	for i := first; i < len(blocks); i++ {
		left := rows - len(lines)
		if more := len(blocks) - i; i > first && len(blocks[i]) > left && (more > 1 || len(blocks[i])-1 > left) {
			if left == 0 { // the blank line after the last card is dropped
				lines = lines[:len(lines)-1]
			}
			return append(lines, v.Paint(term.Quiet, "  ↓ "+v.Count(words.WatchMore, more))), drawn
		}
		lines = append(lines, blocks[i]...)
		drawn = append(drawn, v.cards[i])
	}
	lines = append(lines, v.automaticLines(rows-len(lines))...)
	return append(lines, v.agentLines(rows-len(lines))...), drawn
}

// firstBlock is where to start so that the chosen card is completely visible, with
// a line left for what is above and below.
func (v view) firstBlock(blocks [][]string, rows int) int {
	at := v.index()
	if at < 0 {
		return 0
	}
	first, height := at, len(blocks[at])
	for first > 0 && height+len(blocks[first-1])+2 <= rows {
		first--
		height += len(blocks[first])
	}
	return first
}

func (v view) agentLines(rows int) []string {
	p := v.page(v.width)
	agents := show.Alive(v.state.Snapshot().Agents)
	if len(agents) == 0 {
		if len(v.cards) > 0 || !v.seen {
			return nil
		}
		return strings.Split(p.Wrap(v.Say(words.NoAgents)), "\n")
	}
	if rows < 2 {
		return nil
	}
	lines := []string{v.Paint(term.Quiet, v.Say(words.AgentsTitle))}
	for _, a := range agents {
		lines = append(lines, show.AgentLine(p, a, show.StateWidth(p, agents)))
		if a.NeedsYou != "" && a.State != nod.AgentWaiting {
			lines = append(lines, v.Paint(term.Asks, "  "+term.Fold(term.SymbolAsks+" "+nod.OneLine(a.NeedsYou), v.width-2)))
		}
	}
	return lines[:min(len(lines), rows)]
}

// cardView draws one card of the model.
type cardView struct {
	*model
	card *card
}

// lines draws the card: two lines, or all that fits when it is chosen.
func (v cardView) lines(short string, rows int) []string {
	p := v.page(v.width - 2)
	status := v.status()
	head := show.HeadLine(p, v.card.r, short, "")
	if len(status) == 0 {
		head = show.RequestHead(p, v.card.r, short)
	}
	if v.card.r.ID != v.chosen {
		line := v.card.titleLine(p, v.width-4)
		if len(status) > 0 {
			line = status[0]
		}
		return []string{"  " + head, "    " + line}
	}
	lines := []string{v.Paint(term.Asks, "▸") + " " + head}
	if len(v.card.r.Questions) > 0 {
		lines = append(lines, v.questionLines(false)...)
	} else {
		lines = append(lines, v.textLines(rows)...)
	}
	if risk := show.RiskText(p, v.card.r.Risk, v.width-4); risk != "" {
		lines = append(lines, "    "+risk)
	}
	lines = append(lines, v.modeLines()...)
	if text := show.AnswerDelay(p, v.card.r); text != "" {
		for _, l := range term.Wrap(text, v.width-4) {
			lines = append(lines, "    "+v.Paint(term.Quiet, l))
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

// textLines is the text of the chosen card. If it is too long, lines in the middle
// are left out and counted; the end is always visible.
func (v cardView) textLines(rows int) []string {
	text := v.card.text(v.width - 4)
	if most := v.textRows(rows); len(text) > most {
		head := (most - 1) * 3 / 5
		tail := most - 1 - head
		mark := fmt.Sprintf("⟨… %d …⟩ %s", len(text)-head-tail, v.Say(words.WatchFolded))
		short := append([]string{}, text[:head]...)
		short = append(short, v.Paint(term.Asks, term.Fold(mark, v.width-4)))
		text = append(short, text[len(text)-tail:]...)
	}
	return indented(text, 4)
}

func (v cardView) textRows(rows int) int { return max(3, min(mostText, rows-6)) }

// folded reports whether the list leaves out a part of the text.
func (v cardView) folded() bool {
	return len(v.card.text(v.width-4)) > v.textRows(view{v.model}.contentRows())
}

// modeLines are the modes in which a plan can go on.
func (v cardView) modeLines() []string {
	if v.card.r.Kind != nod.KindPlan || v.card.isDone() {
		return nil
	}
	var lines []string
	for i, o := range answer.Options(v.card.r, nod.OptionMode) {
		text := nod.OneLine(o.ID)
		if o.Label != "" && o.Label != o.ID {
			text += ": " + nod.OneLine(o.Label)
		}
		lines = append(lines, "    "+v.Paint(term.Strong, strconv.Itoa(i+1))+" "+term.Fold(text, v.width-6))
	}
	return lines
}
