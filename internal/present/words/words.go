// Package words is everything nod says to a person, in English, Polish and
// Japanese. Messages are plain data that the linker lays out: nothing is built
// at start-up, which every command would pay for.
package words

import (
	"fmt"
	"strings"
)

// Message is one sentence in every language nod speaks. All three take the same
// arguments; %[2]s and the like change their order.
type Message struct{ EN, PL, JA string }

// Plural is a sentence about a number, which is always its first argument.
type Plural struct {
	EN [2]string // one, more
	PL [3]string // one (1 agent), few (3 agenty), many (5 agentów)
	JA string
}

// Lang is a language that nod speaks.
type Lang uint8

// The languages.
const (
	English Lang = iota
	Polish
	Japanese
)

// Printer says messages in one language.
type Printer struct{ lang Lang }

// In is the printer for a language.
func In(l Lang) Printer { return Printer{l} }

// For finds the language a person wants: NOD_LANG first, then what the rest of
// their system uses. The first variable that is set decides, also when it names
// a language that nod does not speak.
func For(getenv func(string) string) Printer {
	for _, name := range [...]string{"NOD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			return Printer{parse(v)}
		}
	}
	return Printer{English}
}

func parse(locale string) Lang {
	language, _, _ := strings.Cut(strings.ToLower(locale), ".")
	language, _, _ = strings.Cut(strings.ReplaceAll(language, "-", "_"), "_")
	switch language {
	case "pl", "polish":
		return Polish
	case "ja", "japanese":
		return Japanese
	}
	return English
}

// Lang is the language that p speaks.
func (p Printer) Lang() Lang { return p.lang }

// Say fills a message in.
func (p Printer) Say(m Message, args ...any) string {
	format := p.pick(m)
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

func (p Printer) pick(m Message) string {
	switch p.lang {
	case Polish:
		return m.PL
	case Japanese:
		return m.JA
	}
	return m.EN
}

// Count fills in a sentence about n things.
func (p Printer) Count(m Plural, n int, args ...any) string {
	return fmt.Sprintf(p.form(m, n), append([]any{n}, args...)...)
}

func (p Printer) form(m Plural, n int) string {
	switch {
	case p.lang == Japanese:
		return m.JA
	case p.lang == Polish:
		return m.PL[polishForm(n)]
	case n == 1:
		return m.EN[0]
	}
	return m.EN[1]
}

// polishForm: 1 is one; 2–4, 22–24, … but not 12–14 are few; the rest is many.
func polishForm(n int) int {
	ones, tens := n%10, n%100
	switch {
	case n == 1:
		return 0
	case ones >= 2 && ones <= 4 && (tens < 12 || tens > 14):
		return 1
	}
	return 2
}
