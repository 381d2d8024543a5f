package keyboard

import (
	"slices"
	"strings"
	"unicode"

	"nod"
	"nod/internal/present/words"
)

// wished is the key for what a hook, a program or an agent wants on one: a label, and
// in Do.Say the text to send, if that is another one. It is the only way from such a
// wish to an act. A wish can decide nothing. STOP and BACKGROUND are nod's own words,
// whoever writes them: they act and are never sent as text. What a key sends must have
// been read, so a text that differs from the label takes a second press, unless the
// caller may answer; one that does not fit on a screen is left out.
func wished(k Key, a *nod.Agent, trusted bool, say words.Printer, fits func(string) bool) Key {
	text, shown := strings.TrimSpace(k.Do.Say), clip(k.Label, longestLabel)
	if text == "" || !trusted && !fits(text) {
		text = strings.TrimSpace(k.Label)
	}
	switch {
	case shown == "":
		return Key{Wish: true}
	case isWord(words.AdviseStop, k.Label) || isWord(words.AdviseStop, text):
		key := stopKey(a, say)
		key.Wish = true
		return key
	case isWord(words.AdviseBackground, k.Label) || isWord(words.AdviseBackground, text):
		key := word(say, "background", "⏬", "", words.AdviseBackground, Act{Background: true})
		if a == nil || !a.Able(nod.CanBackground) {
			key.Do = Act{Input: "BACKGROUND"}
		}
		key.Wish = true
		return key
	}
	key := Key{ID: plain(text, longestAction), Label: shown, Emoji: k.Emoji, Wish: true, Do: Act{Say: text}}
	if a == nil || !a.Able(nod.CanSay) {
		key.ID, key.Do = "", Act{Input: text}
	}
	if !trusted && text != strings.TrimSpace(k.Label) {
		key.Twice, key.About = true, text
	}
	return key
}

// stopKey stops an agent, or whatever the program that reads /inputs drives.
func stopKey(a *nod.Agent, say words.Printer) Key {
	k := word(say, "stop", "🛑", "#FF3030", words.AdviseStop, Act{Stop: true})
	if a == nil {
		k.Do = Act{Input: "STOP"}
	}
	return k
}

// isWord reports whether a text is one of nod's own words in any language, however it
// is decorated.
func isWord(m words.Message, text string) bool {
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToUpper(r)
			}
			return -1
		}, s)
	}
	text = bare(text)
	return text != "" && slices.Contains([]string{bare(m.EN), bare(m.PL), bare(m.JA)}, text)
}

// stopFirst puts STOP on the first key, and nowhere else.
func stopFirst(keys []Key, a *nod.Agent, say words.Printer) []Key {
	stop := stopKey(a, say)
	rest := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Do.Stop || k.Do.Input == "STOP" || k.Do.none() && k.Label == "" })
	return append([]Key{stop}, rest...)
}
