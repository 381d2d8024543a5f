package talk

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nod"
)

// Line is one message of a conversation, from a program that keeps the conversation
// itself and sends all of it with every question.
type Line struct {
	Person bool // else the assistant
	Text   string
}

// line is a Line with its white space normalised, for comparison.
type line struct {
	Line
	cut bool // the log has only the beginning
}

func normalized(lines []Line) []line {
	list := make([]line, 0, len(lines))
	for _, l := range lines {
		if l.Text = foldSpace(l.Text); l.Text != "" {
			list = append(list, line{Line: l})
		}
	}
	return list
}

func foldSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// linesOf is the messages and answers of a conversation, oldest first. Its turns come
// newest first, as a Desk lists them.
func linesOf(turns []nod.Turn) []line {
	var list []line
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		if t.Who != nil || t.Role != nod.TurnPerson && t.Role != nod.TurnAgent {
			continue
		}
		if text := foldSpace(t.Text); text != "" {
			list = append(list, line{Line{t.Role == nod.TurnPerson, text}, t.Cut > 0})
		}
	}
	return list
}

// match says how well a program's history and a conversation match; higher is better.
type match int

const (
	noMatch match = iota
	trimmed       // the program has dropped the beginning
	mixed         // the program has asked others in between
	exact
)

const (
	// fewestTrimmed is how many lines must agree before a missing beginning counts as
	// dropped by the program, and not as another client's conversation.
	fewestTrimmed = 8
	// fewestBroken is how many characters of an interrupted answer must agree before it
	// counts as the beginning of the logged one.
	fewestBroken = 24
)

// compare matches a program's history with a logged conversation. A client whose
// history contains every line of it may continue it. extra is the lines that only the
// program's history has.
func compare(history, logged []line) (fit match, extra []Line) {
	if len(logged) == 0 || len(history) == 0 {
		return noMatch, nil
	}
	at := 0
	for _, h := range history {
		if at < len(logged) && alike(h, logged[at]) {
			at++
			continue
		}
		extra = append(extra, h.Line)
	}
	switch {
	case at == len(logged) && len(extra) == 0:
		return exact, nil
	case at == len(logged) && len(extra) <= at:
		return mixed, extra
	case len(history) >= fewestTrimmed && ends(logged, history):
		return trimmed, nil
	}
	return noMatch, nil
}

// ends reports whether a logged conversation ends with a program's history.
func ends(logged, history []line) bool {
	before := len(logged) - len(history)
	if before < 0 {
		return false
	}
	for i, h := range history {
		if !alike(h, logged[before+i]) {
			return false
		}
	}
	return true
}

// alike compares a line of a program's history with one of the log. A program may have
// seen more of an answer (text between the assistant's steps) or less (it was stopped).
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

// historyHash is a hash of a whole history: whose it is, and every line of it.
type historyHash [sha256.Size]byte

func hashHistory(whose string, lines []line) historyHash {
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
	return historyHash(sum.Sum(nil))
}

// earlier renders lines that a conversation does not know for its assistant. What
// does not fit is left out from the beginning, with a note; lines that may not be
// passed on are replaced by a note.
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
