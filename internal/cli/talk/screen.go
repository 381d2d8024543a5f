package talk

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// promptSign stands before what a person types.
const promptSign = "› "

// screen is where a conversation is seen: the answer on stdout, all that is said
// around it on stderr, so that a pipe gets the answer and nothing else.
type screen struct {
	mu      sync.Mutex // keys are answered beside the turn
	out     io.Writer
	err     io.Writer
	flow    *wordWrapper // nil: stdout is a pipe, which gets the answer when it is whole
	page    show.Page    // for stderr
	person  bool         // somebody looks at stderr
	moves   bool         // a line may be drawn over
	doing   string       // what stands in the last line until something else does
	drawn   string       // the draft so far
	written bool         // something of this answer is on the screen
	talking bool         // words were the last thing to be seen, so nobody wonders
}

func newScreen(c *console.Console, columns int, person bool) *screen {
	s := &screen{out: c.Stdout, err: c.Stderr, page: c.Page(), person: person}
	if s.page.Terminal {
		s.flow = &wordWrapper{out: c.Stdout, columns: s.page.Columns}
	}
	s.page.Palette, s.page.Terminal, s.page.Columns = term.Palette{}, person, term.PipeColumns
	if person {
		s.page.Columns = columns
		s.moves = c.Getenv("TERM") != "dumb"
		if c.Colours() {
			s.page.Palette = term.TerminalPalette()
		}
	}
	return s
}

// begin is before an answer.
func (s *screen) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn, s.written, s.talking = "", false, false
}

// status says what goes on while nothing else is to be seen.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.moves || s.talking || text == s.doing {
		return
	}
	s.wipeLocked()
	s.doing = text
	fmt.Fprint(s.err, s.page.Paint(term.Quiet, term.Fold(term.SymbolWorking+" "+text, s.page.Columns-1)))
}

// wipe takes the status away.
func (s *screen) wipe() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipeLocked()
}

func (s *screen) wipeLocked() {
	if s.doing != "" {
		fmt.Fprint(s.err, "\r\x1b[K")
		s.doing = ""
	}
}

// endLine makes sure that what comes begins a line.
func (s *screen) endLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
}

func (s *screen) endLineLocked() {
	s.wipeLocked()
	s.talking = false
	if s.flow != nil {
		s.flow.endLine()
	}
}

// note is a sentence of nod's own, beside the answer.
func (s *screen) note(t term.Tone, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
	for line := range strings.SplitSeq(s.page.Wrap(text), "\n") {
		fmt.Fprintln(s.err, s.page.Paint(t, line))
	}
}

// say is a note while a line is being typed.
func (s *screen) say(t term.Tone, text string) { s.note(t, text) }

// step is something the agent did; only people want to see that.
func (s *screen) step(tool, text string) {
	if !s.person {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
	line := tool
	if text != "" {
		line += ": " + text
	}
	fmt.Fprintln(s.err, s.page.Paint(term.Quiet, "  "+term.SymbolQuiet+" "+s.page.OneLine(line, s.page.Columns-4)))
}

// card is a request with everything a person must read before they answer.
func (s *screen) card(r *nod.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
	for _, line := range requestCard(s.page, r, requestKeys(s.page.Printer, r)) {
		fmt.Fprintln(s.err, line)
	}
}

func requestCard(p show.Page, r *nod.Request, keys []string) []string {
	lines := []string{p.Paint(term.Asks, term.SymbolAsks) + " " + p.Paint(term.Strong, p.OneLine(term.Join(show.RequestLabel(p, r), show.NameOnHost(p, r.Agent.Name, r.Agent.Host)), p.Columns-2))}
	if r.Display != "" || len(r.Questions) == 0 {
		lines = append(lines, p.Block(show.Body(r), 4)...)
	}
	if risk := show.RiskText(p, r.Risk, p.Columns-2); risk != "" {
		lines = append(lines, "  "+risk)
	}
	lines = append(lines, show.QuestionLines(p, r)...)
	if r.Kind == nod.KindPlan {
		lines = append(lines, show.OptionLines(p, answer.Options(r, nod.OptionMode), show.ByNumber)...)
	}
	if r.ExpiresAt != nil {
		lines = append(lines, p.Paint(term.Quiet, "  "+p.Say(words.ExpiresIn, p.Left(r.ExpiresAt.Sub(p.Now)))))
	}
	for _, k := range keys {
		for _, l := range strings.Split(p.Wrap(k), "\n") {
			lines = append(lines, p.Paint(term.Quiet, l))
		}
	}
	return lines
}

// piece draws more of the answer. The same words may come again after a broken
// connection; they are drawn once.
func (s *screen) piece(d nod.Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flow == nil || d.Over || d.At > len(s.drawn) {
		return
	}
	known := s.drawn[d.At:]
	more, goesOn := strings.CutPrefix(d.Text, known)
	switch {
	case strings.HasPrefix(known, d.Text):
		return
	case !goesOn && d.At > 0: // what is missing comes with the whole answer
		return
	case !goesOn: // it has begun anew
		s.endLineLocked()
		s.drawn = ""
		more = d.Text
	}
	s.wipeLocked()
	s.drawn += more
	s.written, s.talking = true, true
	s.flow.write(more)
}

// answer ends with the whole text: all of it in a pipe, what is missing on a
// terminal.
func (s *screen) answer(whole string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wipeLocked()
	if s.flow == nil {
		fmt.Fprintln(s.out, term.Safe(strings.TrimRight(whole, "\n")))
		return
	}
	rest, anew := missing(s.drawn, whole)
	if anew {
		s.flow.endLine()
		if s.written {
			s.flow.write("\n")
		}
	}
	s.flow.write(rest)
	s.flow.endLine()
}

// missing is what a draft lacks. It may hold words from before the last step,
// which the answer has not; then the answer begins at one of its lines.
func missing(drawn, whole string) (rest string, anew bool) {
	whole = strings.TrimSpace(whole)
	for tail := strings.TrimLeft(drawn, " \n"); tail != ""; {
		for _, known := range []string{tail, strings.TrimRight(tail, " \n")} {
			if rest, ok := strings.CutPrefix(whole, known); ok {
				return rest, false
			}
		}
		_, after, more := strings.Cut(tail, "\n")
		if !more {
			break
		}
		tail = strings.TrimLeft(after, "\n")
	}
	return whole, strings.TrimSpace(drawn) != ""
}
