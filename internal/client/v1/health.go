package v1

import (
	"time"

	"nod"
)

// Health is what everyone may know: that a hub is here. The rest depends on the
// caller's rights.
type Health struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"`
	Version string `json:"version"`
	Timeout int64  `json:"request_timeout_ms,omitempty"` // for clients of Prompt Relay: how long a request waits
	*Identity
	*Details
}

// Identity is who the hub takes the caller for.
type Identity struct {
	You    *nod.Actor `json:"you,omitempty"`
	Rights nod.Rights `json:"rights,omitempty"`
}

// Details are for those who may view.
type Details struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started_at"`
	Now     time.Time `json:"now"`
	Head    nod.Seq   `json:"seq"`
	Hash    nod.Hash  `json:"hash,omitzero"`
	Data    string    `json:"data,omitempty"`   // only on this machine
	Listen  string    `json:"listen,omitempty"` // only on this machine
	Pending int       `json:"pending"`
	Agents  int       `json:"agents"`
	Viewers int       `json:"viewers"`
	Streams int64     `json:"sse_connections"`       // open event streams
	Talks   int       `json:"active_sessions"`       // conversations without a terminal
	Claude  string    `json:"claude_path,omitempty"` // their program on the hub's machine

	Problems []Problem `json:"problems,omitempty"` // of adapters, for those who may administer
}

// Problem is what an adapter says is wrong with it now.
type Problem struct {
	Adapter string `json:"adapter"` // its section of nod.toml
	Text    string `json:"text"`
}

// Standing answers a load balancer.
type Standing struct {
	OK     bool   `json:"ok"`
	Status string `json:"status"`           // live, ready or away
	Reason string `json:"reason,omitempty"` // why it is away
}

// Me is who the hub takes the caller for.
type Me struct {
	Kind    nod.ActorKind `json:"kind"`
	Name    string        `json:"name"`
	Via     string        `json:"via"`
	ID      string        `json:"id,omitempty"`
	Rights  []string      `json:"rights"`
	Version string        `json:"version"`
	Demo    bool          `json:"demo"` // everything here is made up
	Open    bool          `json:"open"` // there is an assistant, and you may open a conversation with it
}
