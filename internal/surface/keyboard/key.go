package keyboard

import (
	"strings"
	"unicode"

	"nod"
	"nod/internal/present/words"
)

// count is how many keys there are.
const count = 4

// Key is what one key shows, and what it does while it shows that.
type Key struct {
	ID     string // short and plain; what the device says when it is pressed
	Label  string // at most ten characters
	Plain  string // the same for a device without the picture, in ASCII; empty: made of Label
	Emoji  string
	Colour string // #RRGGBB; empty: by its place
	Wish   bool   // a program or the agent itself asked for it
	Twice  bool   // the first press only asks whether the person is sure
	About  string // with Twice: what it does, in full, to be read before the second press; empty: that is shown already
	Do     Act
}

// Act is what a press does: one of these.
type Act struct {
	Decide     nod.RequestID // answer this request
	Answer     nod.Answer    // with that
	Say        string        // tell the agent
	Input      string        // for the program that reads /inputs, when the hub cannot reach the agent
	Stop       bool          // interrupt it at once
	Finish     bool          // let it finish its step first
	Resume     bool          // let it go on
	Background bool
	Page       bool // show what else there is
	Switch     bool // show another agent
}

func (a Act) none() bool {
	return a.Decide == "" && a.Say == "" && a.Input == "" && !a.Stop && !a.Finish && !a.Resume && !a.Background && !a.Page && !a.Switch
}

const (
	longestLabel  = 10
	longestAction = 200
	longestRead   = 40 // fits on one screen in the device's own letters
	longestName   = 23 // of a picture: more does not fit the device's file system
)

// colours are those that keys have by their place.
var colours = [count]string{"#00FFFF", "#FFFF00", "#FFFFFF", "#00FF00"}

// clip shortens a label so that it fits a key and shows that it was shortened.
func clip(s string, most int) string {
	s = strings.TrimSpace(nod.OneLine(s))
	letters := []rune(s)
	if len(letters) <= most {
		return s
	}
	return strings.TrimSpace(string(letters[:most-1])) + "…"
}

// plain is a text in the characters that the device itself can draw.
func plain(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range nod.OneLine(s) {
		var part string
		switch {
		case r >= ' ' && r <= '~':
			part = string(r)
		case r == '…':
			part = "."
		case r == 0xFE0F || unicode.IsMark(r):
			continue
		default:
			part = folded(r)
		}
		if n == most {
			break
		}
		b.WriteString(part)
		n++
	}
	return strings.TrimSpace(b.String())
}

// folded is a letter without its diacritics, for the languages that nod speaks.
func folded(r rune) string {
	const from, to = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ"
	i := 0
	for _, f := range from {
		if f == r {
			return to[i : i+1]
		}
		i++
	}
	return "?"
}

// text is what a device without the picture draws.
func (k Key) text() string {
	if k.Plain != "" {
		return plain(k.Plain, longestLabel)
	}
	return plain(clip(k.Label, longestLabel), longestLabel)
}

// action is what the device sends when the key is pressed. It decides nothing; it
// proves that device and hub mean the same key.
func (k Key) action() string {
	switch {
	case k.Do.none():
		return k.text()
	case k.Do.Input != "":
		return k.Do.Input
	case k.ID != "":
		return plain(k.ID, longestAction)
	}
	return k.text()
}

// word is one of nod's own keys.
func word(p words.Printer, id, emoji, colour string, m words.Message, do Act) Key {
	k := Key{ID: id, Label: p.Say(m), Emoji: emoji, Colour: colour, Do: do}
	if p.Lang() == words.Japanese {
		k.Plain = m.EN
	}
	return k
}
