package term

import (
	"charm.land/lipgloss/v2"
)

// Tone is the meaning of a colour. A word or a symbol always says the same.
type Tone uint8

const (
	Plain  Tone = iota
	Quiet       // of little interest now
	Busy        // working, writing
	Asks        // waits for you, unknown
	Good        // allowed, applied
	Bad         // denied, destructive, broken
	Held        // limited, network
	Strong      // what to look at first
)

// Palette has a style for each tone. The zero Palette has no colours, for pipes and
// NO_COLOR.
type Palette struct{ Styles *[Strong + 1]lipgloss.Style }

// TerminalPalette uses the sixteen colours of the terminal, which its owner can
// read.
func TerminalPalette() Palette { return newPalette("4", "3", "2", "1", "5") }

// DarkPalette and LightPalette are nod's own colours, for a known background.
func DarkPalette() Palette { return newPalette("#7aa2ff", "#ffab66", "#6fdc8c", "#ff8a80", "#c4a5ff") }

func LightPalette() Palette { return newPalette("#1f5ae0", "#c2570c", "#12753a", "#b91c1c", "#6d28d9") }

func newPalette(busyColour, asksColour, goodColour, badColour, heldColour string) Palette {
	in := func(colour string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(colour)).Inline(true)
	}
	return Palette{&[Strong + 1]lipgloss.Style{
		Plain: lipgloss.NewStyle().Inline(true),
		Quiet: lipgloss.NewStyle().Faint(true).Inline(true),
		Busy:  in(busyColour), Asks: in(asksColour), Good: in(goodColour), Bad: in(badColour), Held: in(heldColour),
		Strong: lipgloss.NewStyle().Bold(true).Inline(true),
	}}
}

func (k Palette) Paint(t Tone, s string) string {
	if k.Styles == nil || t == Plain || s == "" {
		return s
	}
	return k.Styles[t].Render(s)
}

// The symbols beside the words.
const (
	SymbolQuiet   = "·"
	SymbolWorking = "⋯"
	SymbolAsks    = "●"
	SymbolDone    = "✓"
	SymbolStopped = "✗"
	SymbolLimited = "⧗"
	SymbolAway    = "⊘"
)
