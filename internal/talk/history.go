package talk

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nod"
)

// Line is one utterance of a conversation, as a program tells it that keeps the
// conversation itself and sends all of it along with every question.
type Line struct {
	Person bool // else the assistant
	Text   string
}

// line is a Line as it is compared: white space is not what anybody said.
type line struct {
	Line
	cut bool // the log has only the beginning
}

func plain(lines []Line) []line {
	list := make([]line, 0, len(lines))
	for _, l := range lines {
		if l.Text = blanks(l.Text); l.Text != "" {
			list = append(list, line{Line: l})
		}
	}
	return list
}

func blanks(text string) string { return strings.Join(strings.Fields(text), " ") }

// told is what a conversation has said and heard, oldest first. Its turns come
// newest first, as a Desk lists them.
func told(turns []nod.Turn) []line {
	var list []line
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		if t.Who != nil || t.Role != nod.TurnPerson && t.Role != nod.TurnAgent {
			continue
		}
		if text := blanks(t.Text); text != "" {
			list = append(list, line{Line{t.Role == nod.TurnPerson, text}, t.Cut > 0})
		}
	}
	return list
}

// fitness says how well a program's memory and a conversation go together; more
// is better.
type fitness int

const (
	stranger fitness = iota // they do not
	trimmed                 // the program has forgotten the beginning
	mixed                   // the program has spoken to others in between
	same
)

const (
	// fewestTrimmed is how many lines must agree before a beginning that the program
	// does not know is taken for forgotten, and not for somebody else's.
	fewestTrimmed = 8
	// fewestBroken is how much of an answer must have arrived before it is taken for
	// the beginning of the one that was given.
	fewestBroken = 24
)

// compare finds out whether a program that remembers history is the one that held
// this conversation. Whoever knows every line of it may go on with it. extra is
// what the program remembers and the conversation has not heard.
func compare(history, told []line) (fit fitness, extra []Line) {
	if len(told) == 0 || len(history) == 0 {
		return stranger, nil
	}
	at := 0
	for _, h := range history {
		if at < len(told) && alike(h, told[at]) {
			at++
			continue
		}
		extra = append(extra, h.Line)
	}
	switch {
	case at == len(told) && len(extra) == 0:
		return same, nil
	case at == len(told) && len(extra) <= at:
		return mixed, extra
	case len(history) >= fewestTrimmed && ends(told, history):
		return trimmed, nil
	}
	return stranger, nil
}

// ends reports whether a conversation ends with what a program remembers.
func ends(told, history []line) bool {
	before := len(told) - len(history)
	if before < 0 {
		return false
	}
	for i, h := range history {
		if !alike(h, told[before+i]) {
			return false
		}
	}
	return true
}

// alike compares what a program remembers with what the log has. Of an answer a
// program may have seen more (what the assistant said between its steps) or less
// (somebody stopped it).
func alike(remembered, logged line) bool {
	r, l := remembered.Text, logged.Text
	switch {
	case remembered.Person != logged.Person:
		return false
	case r == l:
		return true
	case logged.cut:
		return strings.HasPrefix(r, l)
	case remembered.Person:
		return false
	}
	return strings.HasSuffix(r, " "+l) || utf8.RuneCountInString(r) >= fewestBroken && strings.HasPrefix(l, r)
}

// memory is a whole history in a few bytes: whose it is, and every line of it.
type memory [sha256.Size]byte

func remember(whose string, lines []line) memory {
	sum := sha256.New()
	write := func(text string) { fmt.Fprintf(sum, "%d:%s", len(text), text) }
	write(whose)
	for _, l := range lines {
		if l.Person {
			write("person")
		} else {
			write("assistant")
		}
		write(l.Text)
	}
	return memory(sum.Sum(nil))
}

// earlier puts an exchange that a conversation has not heard into words for its
// assistant. What does not fit is left out from the beginning, and that is said; so
// is what may not be told.
func earlier(lines []Line, most int, may func(Line) bool) string {
	var parts []string
	left := most
	for i := len(lines) - 1; i >= 0; i-- {
		part, who := strings.TrimSpace(lines[i].Text), "You: "
		if part == "" {
			continue // a tool was called, and nothing said
		}
		if lines[i].Person {
			who = "The person: "
		}
		if !may(lines[i]) {
			part = "(something that is not passed on)"
		}
		part = who + part
		if left -= utf8.RuneCountInString(part) + 1; left < 0 {
			parts = append(parts, "(What was said before that is left out.)")
			break
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n")
}
