package talk

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
)

// What can be heard before a yes. Whoever allows something must have heard all
// of it; what is longer is for a screen.
const (
	mostWords   = 12
	mostLetters = 100 // for languages without blanks
)

// TooLong reports whether a request is more than can be heard before a yes. What
// is too long in one language is so in all of them: who hears it in another than
// we look at must not be able to allow what was not read to them.
func TooLong(r *nod.Request) bool {
	switch {
	case r.Kind == nod.KindPlan || r.Kind == nod.KindElicitation:
		return true
	case r.Kind == nod.KindQuestion:
		return false
	case r.Tool == confirm:
		return unsaid(r)
	}
	return hides(r) || slices.ContainsFunc([]words.Lang{words.English, words.Polish, words.Japanese}, func(lang words.Lang) bool {
		text := describe(words.In(lang), r)
		return len(strings.Fields(text)) > mostWords || utf8.RuneCountInString(text) > mostLetters
	})
}

// unsaid reports whether a sentence is more than its title, or sounds like another.
// A person's own words may have a yes in them; those of a model must not lead.
func unsaid(r *nod.Request) bool {
	fields := fieldsOf(r)
	whole, _ := fields["said"].(string)
	action, byModel := fields["action"].(string)
	if byModel {
		whole = action
	}
	switch {
	case len(fields) == 0:
		return veiled(r.Title) // a bare sentence
	case whole == "" || nod.OneLine(whole) != r.Title:
		return true
	}
	return veiled(whole) || byModel && leads(whole)
}

// hides reports whether something will be done that its description does not say.
func hides(r *nod.Request) bool {
	fields := fieldsOf(r)
	command, isCommand := fields["command"].(string)
	said := describe(words.In(words.English), r)
	if leads(said) || strings.Contains(said, words.In(words.English).Say(words.VoiceAnID)) {
		return true
	}
	switch {
	case strings.HasPrefix(r.Tool, "mcp__"):
		return slices.ContainsFunc(texts(fields), veiled)
	case isCommand:
		for name := range fields {
			if !slices.Contains([]string{"command", "description", "timeout"}, name) {
				return true // where or how it runs
			}
		}
		return inaudible(command)
	}
	return len(fields) > 1 || veiled(r.Title)
}

// inaudible reports whether a command means more than the words in it: marks by
// which a shell puts other words in their place are not heard.
func inaudible(command string) bool {
	home := strings.ReplaceAll(command, "~/", "/")
	return strings.ContainsAny(home, "$`*?[]{}()\\!#^%~") || veiled(command)
}

// veiled reports whether a text has something in it that a voice passes over, or
// says as if it were something else.
func veiled(text string) bool {
	if strings.Contains(text, "](") || strings.ContainsRune(text, '`') || slices.Contains(strings.FieldsFunc(text, divides), "..") {
		return true
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector) {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), disguised)
}

func divides(r rune) bool { return r == '/' || r == '\\' || unicode.IsSpace(r) }

// disguised: nobody spells a word with the letters of two alphabets, but who wants it
// to sound like another one.
func disguised(word string) bool {
	latin, other := false, false
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Lisu)
	}
	return latin && other
}

// leads reports whether words that are not the person's own have a yes in them: a
// question must not say what to answer.
func leads(text string) bool {
	said := strings.Fields(ear.Bare(text))
	return slices.Contains(said, "yes") || slices.Contains(said, "tak") || strings.Contains(text, "はい")
}

// texts are all strings in an input, and the names of its fields.
func texts(value any) (list []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			list = append(append(list, name), texts(inner)...)
		}
	case []any:
		for _, inner := range v {
			list = append(list, texts(inner)...)
		}
	case string:
		list = append(list, v)
	}
	return list
}
