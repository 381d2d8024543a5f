package icon

import (
	"strings"
	"unicode"

	"github.com/hajimehoshi/bitmapfont/v4"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// The font: characters of 16 rows, half or full width, the baseline at 12.
const (
	cell     = 16
	baseline = 12
	mostRead = 64 // only this many characters of a label are read
)

// tidyLabel keeps what can be drawn: no control characters, no marks that hide or turn text, no emoji, which has its
// own place.
func tidyLabel(text string) string {
	if len(text) > 16*mostRead {
		text = text[:16*mostRead]
	}
	var b strings.Builder
	n := 0
	for _, r := range norm.NFC.String(strings.ToValidUTF8(text, "")) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case r == 0x200b || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.M):
			continue
		case !drawable(r) && unicode.Is(unicode.So, r):
			continue
		case !drawable(r):
			r = '▯'
		}
		if n++; n > mostRead {
			break
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func blank(runes []rune) bool {
	for _, r := range runes {
		if !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Cs) {
			return false
		}
	}
	return true
}

func drawable(r rune) bool {
	_, _, _, _, ok := bitmapfont.Face.Glyph(fixed.P(0, baseline), r)
	return ok
}

// wide are characters whose strokes are too close for smoothing.
func wide(r rune) bool { return advance(r) > 6 }

func advance(r rune) int {
	a, ok := bitmapfont.Face.GlyphAdvance(r)
	if !ok {
		return 0
	}
	return a.Round()
}

func widthOf(text string) int {
	n := 0
	for _, r := range text {
		n += advance(r)
	}
	return n
}

// fold wraps a text to this width: at spaces, and between full-width characters, which stand for themselves. ok means
// that no word was broken and everything fits.
func fold(text string, width, most int) (lines []string, ok bool) {
	ok = true
	line := ""
	for _, word := range pieces(text) {
		if next := line + word; widthOf(strings.TrimSpace(next)) <= width {
			line = next
			continue
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
		line = strings.TrimLeft(word, " ")
		for widthOf(strings.TrimSpace(line)) > width {
			head := cutTo(line, width)
			if head == "" {
				return lines, false
			}
			lines, line, ok = append(lines, head), line[len(head):], false
		}
	}
	if line = strings.TrimSpace(line); line != "" {
		lines = append(lines, line)
	}
	if len(lines) <= most {
		return lines, ok
	}
	lines = lines[:most]
	last := lines[most-1]
	if widthOf(last+"…") > width {
		last = cutTo(last, width-widthOf("…"))
	}
	lines[most-1] = last + "…"
	return lines, false
}

// pieces are the parts between which a line may end.
func pieces(text string) []string {
	var out []string
	start := 0
	var before rune
	for i, r := range text {
		if i > start && (before == ' ' || wide(r) || wide(before)) && !noStart(r) {
			out, start = append(out, text[start:i]), i
		}
		before = r
	}
	return append(out, text[start:])
}

// noStart are characters that cannot begin a Japanese line.
func noStart(r rune) bool {
	return strings.ContainsRune("、。」』)!?・ーっゃゅょッャュョぁぃぅぇぉァィゥェォ…", r)
}

func cutTo(text string, width int) string {
	n := 0
	for i, r := range text {
		if n += advance(r); n > width {
			return text[:i]
		}
	}
	return text
}
