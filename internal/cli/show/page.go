// Package show turns requests, agents, leases and events into lines of text.
package show

import (
	"nod/internal/cli/term"
)

// Page is a layout that knows the hosts.
type Page struct {
	term.Layout
	Locations *Locations // nil: unknown
}
