package ear

import (
	"strings"
	"unicode"
)

// Language guesses the language of a text, among those nod speaks: "pl", "ja", or "en" by default.
func Language(text string) string {
	polish, english := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case strings.ContainsRune("ąćęłńśźżĄĆĘŁŃŚŹŻ", r):
			polish += 2
		}
	}
	for w := range strings.FieldsSeq(Bare(text)) {
		switch w {
		case "jest", "nie", "tak", "co", "czy", "jak", "jaka", "jaki", "jakie", "gdzie", "kiedy", "kto", "ile", "się", "na", "po", "ze", "dla", "mi", "mam", "jutro", "pojutrze", "dzisiaj", "teraz", "dom":
			polish++
		case "the", "is", "are", "what", "when", "where", "who", "how", "of", "and", "you", "it", "in", "on", "off", "turn", "my", "please", "yes":
			english++
		}
	}
	if polish > english {
		return "pl"
	}
	return "en"
}
