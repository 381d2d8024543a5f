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

// A person must have heard all of a request before they say yes; longer ones need a
// screen.
const (
	mostWords   = 12
	mostLetters = 100 // for languages without blanks
)

// TooLong reports whether a request is too long to be read out before a yes. Too long
// in one language means too long in all of them, because the person may hear it in
// another language than the caller checks.
func TooLong(r *nod.Request) bool {
	switch {
	case r.Kind == nod.KindPlan || r.Kind == nod.KindElicitation:
		return true
	case r.Kind == nod.KindQuestion:
		return false
	case r.Tool == confirm:
		return sentenceHides(r)
	}
	return inputHides(r) || slices.ContainsFunc([]words.Lang{words.English, words.Polish, words.Japanese}, func(lang words.Lang) bool {
		text := describe(words.In(lang), r)
		return len(strings.Fields(text)) > mostWords || utf8.RuneCountInString(text) > mostLetters
	})
}

// sentenceHides reports whether a sentence is longer than its title, or sounds like
// another one. A person's own words may contain a yes; a model's must not.
func sentenceHides(r *nod.Request) bool {
	fields := fieldsOf(r)
	whole, _ := fields["said"].(string)
	action, byModel := fields["action"].(string)
	if byModel {
		whole = action
	}
	switch {
	case len(fields) == 0:
		return unspeakable(r.Title) // a bare sentence
	case whole == "" || nod.OneLine(whole) != r.Title:
		return true
	}
	return unspeakable(whole) || byModel && containsYes(whole)
}

// inputHides reports whether the request does something that its description omits.
func inputHides(r *nod.Request) bool {
	fields := fieldsOf(r)
	command, isCommand := fields["command"].(string)
	description := describe(words.In(words.English), r)
	if containsYes(description) || strings.Contains(description, words.In(words.English).Say(words.VoiceAnID)) {
		return true
	}
	switch {
	case strings.HasPrefix(r.Tool, "mcp__"):
		return slices.ContainsFunc(texts(fields), unspeakable)
	case isCommand:
		for name := range fields {
			if !slices.Contains([]string{"command", "description", "timeout"}, name) {
				return true // where or how it runs
			}
		}
		return inaudible(command)
	}
	return len(fields) > 1 || unspeakable(r.Title)
}

// inaudible reports whether a command means more than its spoken words: shell
// expansions are not audible, nor are options that are only counted.
func inaudible(command string) bool {
	home := strings.ReplaceAll(command, "~/", "/")
	return strings.ContainsAny(home, "$`*?[]{}()\\!#^%~") || unspeakable(command) || !ear.In(words.In(words.English)).Audible(command)
}

// unspeakable reports whether a text contains something that a voice skips, or
// pronounces like something else.
func unspeakable(text string) bool {
	if strings.Contains(text, "](") || strings.ContainsRune(text, '`') || slices.Contains(strings.FieldsFunc(text, isSeparator), "..") {
		return true
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector) {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), mixesAlphabets)
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' || unicode.IsSpace(r) }

// mixesAlphabets reports whether a word has letters of two alphabets, which happens
// only in attempts to make it sound like another word.
func mixesAlphabets(word string) bool {
	latin, other := false, false
	for _, r := range word {
		latin = latin || unicode.Is(unicode.Latin, r)
		other = other || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Lisu)
	}
	return latin && other
}

// containsYes reports whether a text contains a yes: a question that an agent wrote
// must not suggest its answer.
func containsYes(text string) bool {
	list := strings.Fields(ear.Bare(text))
	return slices.Contains(list, "yes") || slices.Contains(list, "tak") || strings.Contains(text, "はい")
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
