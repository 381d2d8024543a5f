package ear

import (
	"path"
	"strings"

	"nod/internal/present/words"
)

// How much of a command is read out. The end is always included: the danger of a long command is often there.
const (
	mostWords = 24
	headWords = 16
	tailWords = 6
)

// Command reads a command line as people do: options by their names, operators as words, paths and addresses
// shortened, and omissions counted.
func (s Speaker) Command(line string) string {
	said, _ := s.command(line)
	return said
}

// Audible reports whether all options of a command have names that can be read out.
func (s Speaker) Audible(line string) bool {
	_, hidden := s.command(line)
	return hidden == 0
}

func (s Speaker) command(line string) (text string, hidden int) {
	pause := ", "
	if s.say.Lang() == words.Japanese {
		pause = "、"
	}
	var said []string
	c := &call{}
	for _, token := range tokens(legible(line)) {
		before := pause
		var parts []string
		if word, ends := s.operator(token); word != "" {
			parts = []string{word}
			if c.value = !ends; ends {
				c = &call{}
			}
		} else if t := strings.Trim(token, `"'()`); strings.HasPrefix(t, "-") && len(t) > 1 {
			list, more := s.flags(c, t)
			parts, hidden = list, hidden+more
		} else {
			if c.takes(token, t) {
				before = " "
			}
			if said := s.place(c, t); said != "" {
				parts = []string{said}
			}
		}
		for _, part := range parts {
			if len(said) > 0 {
				part = before + part
			}
			said = append(said, part)
		}
	}
	if len(said) > mostWords {
		left := len(said) - headWords - tailWords
		mark := " " + s.say.Count(words.VoiceLeftOut, left) + " "
		said = append(append(append([]string{}, said[:headWords]...), mark), said[len(said)-tailWords:]...)
	}
	return tidy(strings.Join(said, "")), hidden
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

// operator is the word for a sign between commands; ends is true when another command follows, and false when a file
// does.
func (s Speaker) operator(t string) (word string, ends bool) {
	switch t {
	case "&&", ";":
		return s.say.Say(words.VoiceThen), true
	case "||":
		return s.say.Say(words.VoiceElse), true
	case "|":
		return s.say.Say(words.VoiceInto), true
	case "&":
		return s.say.Say(words.VoiceAside), true
	case ">", ">>":
		return s.say.Say(words.VoiceWritten), false
	case "<", "<<":
		return s.say.Say(words.VoiceFrom), false
	}
	return "", false
}

// place reads an argument; the signs for places and for all files are words, because a voice skips them.
func (s Speaker) place(c *call, t string) string {
	switch {
	case t == "." && c.program == "find" && c.words == 2: // where it always begins
		return ""
	case t == "." || t == "./" || t == "./...":
		return s.say.Say(words.PlaceHere)
	case t == ".." || t == "../":
		return s.say.Say(words.PlaceAbove)
	case t == "/":
		return s.say.Say(words.PlaceRoot)
	case t == "~" || t == "~/":
		return s.say.Say(words.PlaceHome)
	case t == "*" || t == "./*":
		return s.say.Say(words.PlaceAllFiles)
	}
	folder, file := path.Split(t)
	if kind, ok := strings.CutPrefix(file, "*."); ok && kind != "" && !strings.Contains(folder+kind, "*") {
		all := s.say.Say(words.PlaceAllOf, plainName(kind))
		if folder == "" || folder == "./" {
			return all
		}
		return s.say.Say(words.VoiceInFolder, all, s.place(&call{}, strings.TrimSuffix(folder, "/")))
	}
	if folder, ok := strings.CutSuffix(t, "/*"); ok && folder != "" && !strings.Contains(folder, "*") {
		return s.say.Say(words.PlaceAllIn, s.place(&call{}, folder))
	}
	return s.meaning(strings.ReplaceAll(t, "*", " "))
}

// flag names an option in a sentence.
func (s Speaker) flag(t string) string {
	name, value, _ := strings.Cut(strings.TrimPrefix(t, "--"), "=")
	said := s.say.Say(words.VoiceFlag, plainName(strings.ReplaceAll(name, "-", " ")))
	if value = strings.Trim(value, `"'-`); value != "" {
		said += " " + s.meaning(value)
	}
	return said
}
