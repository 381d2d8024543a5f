package voicebridge

import (
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// speaker puts what the bridge has to say into words: in one language, and as much as
// the person wants to hear.
type speaker struct {
	say  words.Printer
	much verbosity
}

func (s speaker) text(markdown string) string            { return ear.In(s.say).Text(markdown) }
func (s speaker) brief(markdown string, most int) string { return ear.In(s.say).Brief(markdown, most) }
func (s speaker) command(line string) string             { return ear.In(s.say).Command(line) }
