// Package wire is what the link of a machine and the hub elsewhere say to each
// other: the words on the wire, and nothing that is done about them. Whoever reads a
// body refuses words that it does not know, so a body that a release before already
// reads never gets a new one; what is new has a door of its own, and an answer may
// say more than before.
package wire

import (
	"encoding/json"
	"time"

	"nod"
)

// The bounds of what travels at once. A batch is closed when it is past one of the
// first two, and a single fact may be large, so the hub takes in more than that.
const (
	MostEvents = 200
	MostBytes  = 8 << 20
	MaxFacts   = 64 << 20 // one batch at most: a few inputs of megabytes
)

// Hello is how a link comes in.
type Hello struct {
	Version string          `json:"version"`
	Log     string          `json:"log"`     // which log its facts are from
	Pending []nod.RequestID `json:"pending"` // what waits there: it may have been decided elsewhere meanwhile
}

// Welcome is what a link hears back.
type Welcome struct {
	Heard   nod.Seq       `json:"heard"`   // how far its log is known
	Head    nod.Seq       `json:"head"`    // where orders begin for a link that never had any
	Decided []nod.Request `json:"decided"` // of what waits there
}

// Facts are events of a host's own log, in their order.
type Facts struct {
	Log    string            `json:"log"`
	After  nod.Seq           `json:"after"`  // what the host believes is known of it
	Upto   nod.Seq           `json:"upto"`   // how far its log is told with this
	Events []json.RawMessage `json:"events"` // those that matter elsewhere
	Failed []nod.Message     `json:"failed"` // words that did not even come into its log
}

// Heard is how far a host's log is known now.
type Heard struct {
	Heard nod.Seq `json:"heard"`
}

// MaxDrafts bounds one telling of what agents are writing: the longest of them, as
// JSON at its worst.
const MaxDrafts = 8 << 20

// Drafts are pieces of answers that agents of a host are writing. They are no facts:
// one that is lost is lost.
type Drafts struct {
	Drafts []nod.Draft `json:"drafts"`
}

// Redo names the agents whose answer has to be told from its beginning, because a
// piece before is missing.
type Redo struct {
	Again []nod.AgentID `json:"again"`
}

// DraftEvery is how often an answer that is being written may be told, and DraftLife
// how long the hub shows it without a word about it. A link that has nothing new says
// so in half of that time.
const (
	DraftEvery = 250 * time.Millisecond
	DraftLife  = 30 * time.Second
)

// Offer is whom conversations can be opened with on a host. It is told after Hello, at
// a door of its own.
type Offer struct {
	Assistants []nod.Assistant `json:"assistants"`
}

// Standing is how things stand on a host whose log does not reach back any more to
// what was heard of it. It may come in several parts; only with the last one, which is
// Done, the log counts as known up to its place.
type Standing struct {
	Log    string            `json:"log"`
	After  nod.Seq           `json:"after"`  // what the host believes is known of its log
	Upto   nod.Seq           `json:"upto"`   // the place in its log at which things stand so
	Orders nod.Seq           `json:"orders"` // the last order that it had taken by then, or before
	Events []json.RawMessage `json:"events"` // what would bring it about; they have no place in any log

	// Everything that its state knows, with the last part: what else is believed to be
	// alive, open or under way there is not.
	Agents   []nod.AgentID   `json:"agents"`
	Requests []nod.RequestID `json:"requests"`
	Messages []nod.MessageID `json:"messages"`
	Done     bool            `json:"done"`
}
