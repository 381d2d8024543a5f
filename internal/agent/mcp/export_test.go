package mcp

import (
	"time"

	"nod"
)

// SetTiming says how long servers on this machine and elsewhere may be away.
func (d *Driver) SetTiming(local, remote time.Duration) {
	d.presence.timing.local, d.presence.timing.remote = local, remote
}

// Refresh signals that what an agent can read about its keys has changed.
func (d *Driver) Refresh(id nod.AgentID) { d.suggestions.notify(id) }
