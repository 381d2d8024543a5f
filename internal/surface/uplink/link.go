package uplink

import (
	"nod"
	"nod/internal/hub/adapter"
)

// link is what both directions of the connection share.
type link struct {
	adapter.Deps
	Needs
	where  string // the hub elsewhere, for people to read
	notes  notesFile
	failed chan struct{} // there are messages that did not come into the log here
}

// viewer is the hub elsewhere as an actor that views the log here: while it listens,
// people there can answer.
func (l *link) viewer() nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: "hub at " + l.where, Via: "hub", ID: "hub", Rights: nod.RightsOf(nod.View, nod.Answering)}
}
