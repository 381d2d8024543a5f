package nod

import "time"

// Host is a machine whose agents reach this log through a link of its own: a small
// hub there keeps asking and answering while this one is away.
type Host struct {
	Name    string    `json:"name"`
	Version string    `json:"version,omitempty"`
	Up      bool      `json:"up"`
	Since   time.Time `json:"since"` // when it came or went
	// Log names the host's own log, and Heard is how far this one has taken it in:
	// both are facts of one commit, so that nothing is taken in twice.
	Log   string `json:"log,omitempty"`
	Heard Seq    `json:"heard"`
	Visit string `json:"visit,omitempty"` // which connection it is here by; a late goodbye of an older one counts for nothing
}
