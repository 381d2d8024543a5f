package cli

import (
	"charm.land/lipgloss/v2"

	"nod"
)

// tone is what a colour means. It never stands alone: a word and a shape say
// the same.
type tone uint8

const (
	plain  tone = iota
	quiet       // of little interest now
	busy        // working, writing
	asks        // waits for you, unknown
	good        // allowed, applied
	bad         // denied, destructive, broken
	held        // limited, network
	strong      // what to look at first
)

// palette paints tones. The zero ink paints nothing, for pipes and NO_COLOR.
type palette struct{ styles *[strong + 1]lipgloss.Style }

// terminalPalette uses the terminal's own sixteen colours: its owner has made sure
// that they can be read.
func terminalPalette() palette { return newPalette("4", "3", "2", "1", "5") }

// darkPalette and lightInk are nod's own colours, for when the background is known.
func darkPalette() palette  { return newPalette("#7aa2ff", "#ffab66", "#6fdc8c", "#ff8a80", "#c4a5ff") }
func lightPalette() palette { return newPalette("#1f5ae0", "#c2570c", "#12753a", "#b91c1c", "#6d28d9") }

func newPalette(busyColour, asksColour, goodColour, badColour, heldColour string) palette {
	in := func(colour string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(colour)).Inline(true)
	}
	return palette{&[strong + 1]lipgloss.Style{
		plain: lipgloss.NewStyle().Inline(true),
		quiet: lipgloss.NewStyle().Faint(true).Inline(true),
		busy:  in(busyColour), asks: in(asksColour), good: in(goodColour), bad: in(badColour), held: in(heldColour),
		strong: lipgloss.NewStyle().Bold(true).Inline(true),
	}}
}

func (k palette) paint(t tone, s string) string {
	if k.styles == nil || t == plain || s == "" {
		return s
	}
	return k.styles[t].Render(s)
}

// The shapes that stand beside the words.
const (
	symbolQuiet   = "·"
	symbolWorking = "⋯"
	symbolAsks    = "●"
	symbolDone    = "✓"
	symbolStopped = "✗"
	symbolLimited = "⧗"
	symbolAway    = "⊘"
)

func agentSymbol(a *nod.Agent) (string, tone) {
	if a.Stopping != nil {
		return symbolWorking, bad
	}
	switch a.State {
	case nod.AgentWorking:
		return symbolWorking, busy
	case nod.AgentWaiting:
		return symbolAsks, asks
	case nod.AgentLimited:
		return symbolLimited, held
	case nod.AgentError:
		return symbolStopped, bad
	}
	return symbolQuiet, quiet
}

func riskSymbol(level string) (string, tone) {
	switch level {
	case "read":
		return "○", quiet
	case "write":
		return "✎", busy
	case "network":
		return "⇄", held
	case "destructive":
		return "▲", bad
	case "secret":
		return "◉", bad
	}
	return "?", asks
}

// requestSymbol is how a request stands, for a glance.
func requestSymbol(r *nod.Request) (string, tone) {
	switch {
	case !r.Settled():
		return symbolAsks, asks
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictDeny:
		return symbolStopped, bad
	case r.Status == nod.Decided:
		return symbolDone, good
	}
	return symbolQuiet, quiet
}
