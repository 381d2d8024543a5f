package watch

import (
	"slices"
	"strings"
	"time"

	"nod"
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

// mostAuto is how many automatic answers the live view keeps in sight.
const mostAuto = 3

// automaticAnswer is a request that nod answered, and which use of a lease that was.
type automaticAnswer struct {
	r           *nod.Request
	used, limit int
	at          time.Time
}

// addAutomatic keeps what nod answered by itself, for the list at the bottom.
func (m *model) addAutomatic(e *nod.Event) {
	if e.Kind != nod.RequestDecided || e.Decision == nil || !e.Decision.Automatic() {
		return
	}
	r, ok := m.state.Requests[e.RequestID]
	if !ok {
		return
	}
	a := automaticAnswer{r: r, at: m.now()}
	if l, ok := m.state.Leases[e.Decision.Under]; ok {
		a.used, a.limit = l.Used, l.Limit
	}
	if m.automatic = append(m.automatic, a); len(m.automatic) > mostAuto {
		m.automatic = slices.Delete(m.automatic, 0, len(m.automatic)-mostAuto)
	}
}

// automaticLines are the last automatic answers, newest first: what was asked, and
// that no person answered.
func (v view) automaticLines(rows int) []string {
	if len(v.automatic) == 0 || rows < 2 {
		return nil
	}
	p := v.page(v.width)
	lines := []string{v.Paint(term.Quiet, v.Say(words.AutoTitle))}
	for _, a := range slices.Backward(v.automatic) {
		shape, _ := show.RequestSymbol(a.r)
		how := show.WithUses(p, show.AutomaticText(p, a.r.Decision), a.used, a.limit)
		what := term.Join(a.r.Agent.Name, a.r.Title)
		lines = append(lines,
			v.Paint(term.Quiet, shape+" "+p.OneLine(what, v.width-2)))
		for _, l := range p.Block(how, 2) { // in full: it says that no person answered
			lines = append(lines, v.Paint(term.Quiet, l))
		}
	}
	lines = append(lines, "")
	return lines[:min(len(lines), rows)]
}
