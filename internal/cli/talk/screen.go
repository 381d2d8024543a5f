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

// promptSign stands before what the person types.
const promptSign = "› "

// screen shows a conversation: the answer on stdout, everything around it on
// stderr, so that a pipe gets the answer and nothing else.
type screen struct {
	mu          sync.Mutex // lines are read in another goroutine
	out         io.Writer
	err         io.Writer
	wrapper     *wordWrapper // nil: stdout is a pipe, which gets the answer at the end
	page        show.Page    // for stderr
	interactive bool         // a person reads stderr
	canRedraw   bool         // a line can be overwritten
	statusLine  string       // what the last line says until something else is printed
	drawn       string       // the draft so far
	anyWritten  bool         // a part of this answer is on the screen
	textLast    bool         // the answer was printed last, so no status is needed
}

func newScreen(c *console.Console, columns int, person bool) *screen {
	s := &screen{out: c.Stdout, err: c.Stderr, page: c.Page(), interactive: person}
	if s.page.Terminal {
		s.wrapper = &wordWrapper{out: c.Stdout, columns: s.page.Columns}
	}
	s.page.Palette, s.page.Terminal, s.page.Columns = term.Palette{}, person, term.PipeColumns
	if person {
		s.page.Columns = columns
		s.canRedraw = c.Getenv("TERM") != "dumb"
		if c.Colours() {
			s.page.Palette = term.TerminalPalette()
		}
	}
	return s
}

// begin resets the screen for a new answer.
func (s *screen) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn, s.anyWritten, s.textLast = "", false, false
}

// status says what happens while nothing else is printed.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.canRedraw || s.textLast || text == s.statusLine {
		return
	}
	s.clearStatusLocked()
	s.statusLine = text
	fmt.Fprint(s.err, s.page.Paint(term.Quiet, term.Fold(term.SymbolWorking+" "+text, s.page.Columns-1)))
}

// clearStatus removes the status line.
func (s *screen) clearStatus() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearStatusLocked()
}

func (s *screen) clearStatusLocked() {
	if s.statusLine != "" {
		fmt.Fprint(s.err, "\r\x1b[K")
		s.statusLine = ""
	}
}

// endLine makes sure that the next text starts a line.
func (s *screen) endLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
}

func (s *screen) endLineLocked() {
	s.clearStatusLocked()
	s.textLast = false
	if s.wrapper != nil {
		s.wrapper.endLine()
	}
}

// note prints a sentence of nod itself.
func (s *screen) note(t term.Tone, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
	for line := range strings.SplitSeq(s.page.Wrap(text), "\n") {
		fmt.Fprintln(s.err, s.page.Paint(t, line))
	}
}

// step prints what the agent did, for people only.
func (s *screen) step(tool, text string) {
	if !s.interactive {
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

// card prints a request with everything that a person must read before answering.
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

// draft prints more of the answer. After a lost connection the same text may come
// again; it is printed once.
func (s *screen) draft(d nod.Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrapper == nil || d.Over || d.At > len(s.drawn) {
		return
	}
	known := s.drawn[d.At:]
	more, goesOn := strings.CutPrefix(d.Text, known)
	switch {
	case strings.HasPrefix(known, d.Text):
		return
	case !goesOn && d.At > 0: // the whole answer will have what is missing
		return
	case !goesOn: // the agent started again
		s.endLineLocked()
		s.drawn = ""
		more = d.Text
	}
	s.clearStatusLocked()
	s.drawn += more
	s.anyWritten, s.textLast = true, true
	s.wrapper.write(more)
}

// answer prints the whole text in a pipe, and on a terminal what is missing of it.
func (s *screen) answer(whole string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearStatusLocked()
	if s.wrapper == nil {
		fmt.Fprintln(s.out, term.Safe(strings.TrimRight(whole, "\n")))
		return
	}
	rest, anew := missing(s.drawn, whole)
	if anew {
		s.wrapper.endLine()
		if s.anyWritten {
			s.wrapper.write("\n")
		}
	}
	s.wrapper.write(rest)
	s.wrapper.endLine()
}

// missing is what the draft lacks of the answer. A draft may start with text from
// before the last step; then the answer starts at one of its lines.
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
