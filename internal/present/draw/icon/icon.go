// Package icon draws the screen of a keyboard's key: an emoji over a short label, 128 by 128 pixels. The same Spec
// always has the same name, and a different picture always a different one, because keyboards keep pictures for ever
// and never fetch one twice.
package icon

import (
	"crypto/sha256"
	"encoding/hex"
	"image/color"
	"strconv"
	"strings"
)

// The screen of a key, and its wire format: RGB565, the high byte first, without header or trailer.
const (
	Side  = 128
	Bytes = 2 * Side * Side
)

// MostName is the maximum length of a name: the keyboard's file system takes 31 characters, eight of which are its
// folder.
const MostName = 23

// KeyboardHolds is how many pictures fit into a keyboard's flash, with room for its file system. The keyboard removes
// none by itself.
const KeyboardHolds = 380

// looks changes when the same Spec is drawn differently, so that no keyboard keeps showing the picture of an older
// nod.
const looks = "2"

// Spec describes a picture. Everything in it may come from an agent.
type Spec struct {
	Emoji string // the first one counts; "" for text only
	Label string // up to ten characters look good; longer ones are wrapped, then cut
	Ink   color.RGBA
}

// White is the default ink of a label.
var White = color.RGBA{0xff, 0xff, 0xff, 0xff}

// Empty reports that there is nothing to draw.
func (s Spec) Empty() bool { s = s.tidy(); return s.Emoji == "" && s.Label == "" }

// tidy is the Spec without what makes no difference to the picture.
func (s Spec) tidy() Spec {
	s.Emoji, s.Label = firstEmoji(s.Emoji), tidyLabel(s.Label)
	if s.Label == "" && s.Emoji != "" {
		s.Ink = White
	}
	s.Ink = readable(s.Ink)
	return s
}

// name identifies this picture, drawn with a given font.
func (s Spec) name(font string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		looks, font, s.Emoji, s.Label, strconv.Itoa(int(s.Ink.R)<<16 | int(s.Ink.G)<<8 | int(s.Ink.B)),
	}, "\x00")))
	return "k" + hex.EncodeToString(sum[:8]) + ".rgb"
}

// Ink parses #RRGGBB, the only colour format of the keyboard's protocol.
func Ink(hash string) (color.RGBA, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(hash, "#"), 16, 32)
	if err != nil || len(hash) != 7 || hash[0] != '#' {
		return White, false
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}, true
}

// readable brightens a colour until it is readable on black; no colour is white.
func readable(c color.RGBA) color.RGBA {
	if c == (color.RGBA{}) {
		return White
	}
	c.A = 0xff
	for range 16 {
		// A rough luminance is enough here: 0.3 keeps pure red as it is and moves navy.
		if 299*int(c.R)+587*int(c.G)+114*int(c.B) >= 255*290 {
			break
		}
		lift := func(v uint8) uint8 { return v + uint8((255-int(v)+7)/8) }
		c.R, c.G, c.B = lift(c.R), lift(c.G), lift(c.B)
	}
	return c
}
