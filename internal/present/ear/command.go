package ear

import (
	"strings"

	"nod/internal/present/words"
)

// How much of a command is read out. The end is always included: the danger of a long command is often there.
const (
	mostWords = 24
	headWords = 16
	tailWords = 6
)

// Command reads a command line: flags are named, operators become words, paths and addresses are shortened, and
// omissions are counted.
func (s Speaker) Command(line string) string {
	var said []string
	for _, token := range tokens(legible(line)) {
		if w := s.token(token); w != "" {
			said = append(said, w)
		}
	}
	if len(said) > mostWords {
		left := len(said) - headWords - tailWords
		mark := s.say.Count(words.VoiceLeftOut, left)
		said = append(append(append([]string{}, said[:headWords]...), mark), said[len(said)-tailWords:]...)
	}
	return tidy(strings.Join(said, " "))
}

// tokens splits at blanks and around operators, wherever they stand: `a;b` is two commands for the ear too.
func tokens(line string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t':
			end()
		case '\n', ';':
			end()
			out = append(out, ";")
		case '|', '&', '>', '<':
			end()
			op := string(c)
			if i+1 < len(line) && line[i+1] == c {
				op += string(c)
				i++
			}
			out = append(out, op)
		default:
			word.WriteByte(c)
		}
	}
	end()
	return out
}

func (s Speaker) token(t string) string {
	switch t {
	case "&&", ";":
		return s.say.Say(words.VoiceThen)
	case "||":
		return s.say.Say(words.VoiceElse)
	case "|":
		return s.say.Say(words.VoiceInto)
	case ">", ">>":
		return s.say.Say(words.VoiceWritten)
	case "<", "<<":
		return s.say.Say(words.VoiceFrom)
	case "&":
		return s.say.Say(words.VoiceAside)
	}
	t = strings.Trim(t, `"'()`)
	if strings.HasPrefix(t, "-") && len(t) > 1 {
		return s.flag(t)
	}
	return s.meaning(strings.ReplaceAll(t, "*", " "))
}

// flag names an option. Short ones are spelt out, because each letter is one: a "force" must be heard.
func (s Speaker) flag(t string) string {
	if long, ok := strings.CutPrefix(t, "--"); ok {
		name, value, _ := strings.Cut(long, "=")
		said := s.say.Say(words.VoiceFlag, plainName(strings.ReplaceAll(name, "-", " ")))
		if value = strings.Trim(value, `"'-`); value != "" {
			said += " " + s.meaning(value)
		}
		return said
	}
	letters := strings.TrimPrefix(t, "-")
	if len(letters) <= 4 {
		letters = strings.Join(strings.Split(letters, ""), " ")
	}
	return s.say.Say(words.VoiceFlag, plainName(letters))
}
