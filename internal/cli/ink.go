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

// ink paints tones. The zero ink paints nothing, for pipes and NO_COLOR.
type ink struct{ styles *[strong + 1]lipgloss.Style }

// themeInk uses the terminal's own sixteen colours: its owner has made sure
// that they can be read.
func themeInk() ink { return newInk("4", "3", "2", "1", "5") }

// darkInk and lightInk are nod's own colours, for when the background is known.
func darkInk() ink  { return newInk("#7aa2ff", "#ffab66", "#6fdc8c", "#ff8a80", "#c4a5ff") }
func lightInk() ink { return newInk("#1f5ae0", "#c2570c", "#12753a", "#b91c1c", "#6d28d9") }

func newInk(busyColour, asksColour, goodColour, badColour, heldColour string) ink {
	in := func(colour string) lipgloss.Style {
		return lipgloss.NewStyle().Foreground(lipgloss.Color(colour)).Inline(true)
	}
	return ink{&[strong + 1]lipgloss.Style{
		plain: lipgloss.NewStyle().Inline(true),
		quiet: lipgloss.NewStyle().Faint(true).Inline(true),
		busy:  in(busyColour), asks: in(asksColour), good: in(goodColour), bad: in(badColour), held: in(heldColour),
		strong: lipgloss.NewStyle().Bold(true).Inline(true),
	}}
}

func (k ink) paint(t tone, s string) string {
	if k.styles == nil || t == plain || s == "" {
		return s
	}
	return k.styles[t].Render(s)
}

// The shapes that stand beside the words.
const (
	shapeQuiet   = "·"
	shapeWorking = "⋯"
	shapeAsks    = "●"
	shapeDone    = "✓"
	shapeStopped = "✗"
	shapeLimited = "⧗"
	shapeAway    = "⊘"
)

func agentShape(a *nod.Agent) (string, tone) {
	if a.Stopping != nil {
		return shapeWorking, bad
	}
	switch a.State {
	case nod.AgentWorking:
		return shapeWorking, busy
	case nod.AgentWaiting:
		return shapeAsks, asks
	case nod.AgentLimited:
		return shapeLimited, held
	case nod.AgentError:
		return shapeStopped, bad
	}
	return shapeQuiet, quiet
}

func riskShape(level string) (string, tone) {
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

// requestShape is how a request stands, for a glance.
func requestShape(r *nod.Request) (string, tone) {
	switch {
	case !r.Settled():
		return shapeAsks, asks
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictDeny:
		return shapeStopped, bad
	case r.Status == nod.Decided:
		return shapeDone, good
	}
	return shapeQuiet, quiet
}
