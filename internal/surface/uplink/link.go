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
	failed chan struct{} // signals messages that could not be recorded here
}

// viewer is the hub elsewhere as an actor here. While it follows the log, people there can
// answer.
func (l *link) viewer() nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: "hub at " + l.where, Via: "hub", ID: "hub", Rights: nod.RightsOf(nod.View, nod.Answering)}
}
