package puck

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nod/internal/present/words"
)

// The transcripts in testdata read like a scene: a line with > is what happens,
// "> wait 10s" lets time pass, and the lines below it are what the puck does.
// Lines with # are for the reader. -update rewrites what the puck does.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 8 {
		t.Fatalf("%d scenarios, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("%s is now:\n%s", name, got)
			}
		})
	}
}

// stage plays a transcript with a clock of its own.
type stage struct {
	t      *testing.T
	out    strings.Builder
	m      Memory
	now    time.Duration
	timers map[Timer]time.Duration
	say    words.Printer
}

func play(t *testing.T, script string) string {
	s := &stage{t: t}
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "-- "):
			out := s.out.String()
			*s = stage{t: t, timers: map[Timer]time.Duration{}, say: words.In(words.English)}
			s.out.WriteString(out)
			s.line("%s", line)
		case strings.HasPrefix(line, "> "):
			s.line("%s", line)
			s.act(strings.TrimPrefix(line, "> "))
		case line == "" || strings.HasPrefix(line, "#"):
			s.line("%s", line)
		}
	}
	return s.out.String()
}

func (s *stage) line(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *stage) act(line string) {
	event, rest, _ := strings.Cut(line, " ")
	switch event {
	case "wait":
		span, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		s.wait(s.now + span)
		return
	case "taught":
		s.m.Taught = true
		return
	case "language":
		s.say, _ = words.Speaks(rest)
		return
	}
	if !slices.Contains(Events(), Event(event)) {
		s.t.Fatalf("there is no event %q", event)
	}
	s.step(s.input(Event(event), rest))
}

// input reads name=value pairs; a value may be quoted, and options are divided by a bar.
func (s *stage) input(event Event, rest string) Input {
	in := Input{Event: event}
	for rest != "" {
		name, value, ok := strings.Cut(rest, "=")
		if !ok {
			s.t.Fatalf("%q is no name=value", rest)
		}
		quoted, err := strconv.QuotedPrefix(value)
		if err == nil {
			rest = strings.TrimSpace(value[len(quoted):])
			value, _ = strconv.Unquote(quoted)
		} else {
			value, rest, _ = strings.Cut(value, " ")
		}
		number, _ := strconv.Atoi(value)
		switch name {
		case "request":
			in.Request = value
		case "command":
			in.Command = value
		case "text":
			in.Text = value
		case "question":
			in.Question = value
		case "options":
			in.Options = strings.Split(value, "|")
		case "option":
			in.Option = number
		case "index":
			in.Index = number
		case "total":
			in.Total = number
		case "turn":
			in.Turn = number
		case "code":
			in.Code = value
		case "detail":
			in.Detail = value
		case "screen":
			in.OnScreen, in.Twice = value == "only", value == "twice"
		default:
			s.t.Fatalf("what is %q?", name)
		}
	}
	return in
}

func (s *stage) wait(until time.Duration) {
	for {
		due, at := Timing{}, until+1
		for _, timer := range Timers() {
			if when, runs := s.timers[timer.Timer]; runs && when < at {
				due, at = timer, when
			}
		}
		if due.Timer == "" {
			s.now = until
			return
		}
		s.now = at
		delete(s.timers, due.Timer)
		before := s.out.Len()
		s.line("  at %s: %s", s.now, due.Event)
		if s.step(Input{Event: due.Event}) == 0 {
			text := s.out.String()[:before] // nothing came of it
			s.out.Reset()
			s.out.WriteString(text)
		}
	}
}

// step prints what is seen and heard. Timers are printed when they fire.
func (s *stage) step(in Input) (lines int) {
	before := s.m.At()
	m, effects := Step(s.m, in)
	s.m = m
	for _, e := range effects {
		switch {
		case e.Start != "":
			s.timers[e.Start] = s.now + e.For
			continue
		case e.Stop != "":
			delete(s.timers, e.Stop)
			continue
		case e.Light != nil:
			s.line("  ring  %s", draw(*e.Light))
		case e.Say != nil:
			s.line("  voice %q", e.Say.In(s.say))
		case e.Beep:
			s.line("  beep")
		case e.Interrupt:
			s.line("  interrupt")
		case e.Answer != nil:
			a := *e.Answer
			s.line("  answer %s", strings.Join(strings.Fields(fmt.Sprint(a.Request, " ", a.Type, " ", number(a.Option), " ", a.Reason)), " "))
		}
		lines++
	}
	if m.State != before {
		s.line("  state %s", m.State)
		lines++
	}
	return lines
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// draw is a ring in twelve letters, clockwise from the top, and its name.
func draw(l Light) string {
	var b strings.Builder
	lit, dark := l.Ring(0), l.Ring(1)
	for i := range lit {
		letter := hue(lit[i])
		if lit[i] != dark[i] {
			letter += "*" // it blinks
		}
		b.WriteString(letter)
	}
	return strings.TrimSpace(fmt.Sprintf("%s  %s %s", b.String(), l.Mode, l.Color))
}

func hue(c RGB) string {
	letters := map[RGB]string{{}: ".", Orange.RGB(): "O", Green.RGB(): "G", Red.RGB(): "R", Blue.RGB(): "B", LightGreen.RGB(): "g", LightRed.RGB(): "r"}
	if letter, ok := letters[c]; ok {
		return letter
	}
	for option := 1; option <= MostOptions; option++ {
		switch c {
		case OptionColor(option):
			return strings.ToUpper(string(rune('a' + option - 1)))
		case OptionColor(option).dim(faded):
			return string(rune('a' + option - 1))
		}
	}
	if c.R == c.G && c.G == c.B {
		return "w"
	}
	return "?"
}
