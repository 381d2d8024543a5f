// Package show turns requests, agents, leases and events into lines of text.
package show

import (
	"nod/internal/cli/term"
)

// Page is a layout with what is known about where agents are.
type Page struct {
	term.Layout
	Locations *Locations // nil: not asked
}
