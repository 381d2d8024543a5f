package ear

import (
	"strings"
	"unicode/utf8"

	"nod/internal/present/words"
)

// How much of an answer is spoken: as much as people listen to while standing in a kitchen. The rest is in the chat.
const (
	MostSentences  = 3
	MostCharacters = 400
	enoughMarkdown = 16 << 10 // the rest is ignored
)

// Short is an answer for the ear: at most three sentences, and a notice if there is more.
func (s Speaker) Short(markdown string) string { return strings.Join(s.Shortly(markdown), " ") }

// Shortly is Short as separate sentences.
func (s Speaker) Shortly(markdown string) []string {
	all := len(markdown) <= enoughMarkdown
	if !all {
		markdown = strings.ToValidUTF8(markdown[:enoughMarkdown], "")
	}
	reader := s.Reader()
	sentences := append(reader.Read(markdown), reader.End()...)
	var measure Measure
	var said []string
	for _, sentence := range sentences {
		fit, ok := measure.Take(sentence)
		if ok {
			said = append(said, fit)
		}
		if !ok || fit != sentence {
			all = false
			break
		}
	}
	if !all {
		said = append(said, s.say.Say(words.BrainMore))
	}
	return said
}

// Measure tracks how much more may be spoken.
type Measure struct{ sentences, characters int }

// Take takes a sentence: all of it, its beginning if it is the first and much too long, or nothing.
func (m *Measure) Take(sentence string) (string, bool) {
	n := utf8.RuneCountInString(sentence)
	if m.sentences == 0 && n > MostCharacters {
		sentence, n = shorten(sentence, MostCharacters), MostCharacters
	}
	if m.sentences == MostSentences || m.characters+n > MostCharacters {
		m.sentences = MostSentences
		return "", false
	}
	m.sentences, m.characters = m.sentences+1, m.characters+n
	return sentence, true
}
