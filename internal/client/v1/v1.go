// Package v1 has the JSON types of version 1 of the HTTP API: what the hub reads and
// sends beside the types of the root package. The hub and internal/client both use
// them, so the two cannot drift apart.
//
// The comments behind fields become the descriptions in openapi.json.
package v1

import (
	"encoding/json"

	"nod"
)

// Failure is the body of every error.
type Failure struct {
	Error   Error        `json:"error"`
	Request *nod.Request `json:"request,omitempty"` // with conflict: how it was settled
}

// Error says what went wrong: the code is for programs, the message for people.
type Error struct {
	Code    nod.Code `json:"code"`
	Message string   `json:"message"`
}

// RequestList is a list of requests, newest first.
type RequestList struct {
	Requests []*nod.Request `json:"requests"`
}

// History is one page of settled requests, newest first. A page may be short, even
// empty, and still have a next one: the hub searches only so far at once.
type History struct {
	Requests []*nod.Request `json:"requests"`
	Next     nod.Seq        `json:"next,omitempty"` // where to go on; none: there is no more
}

// LogEntry is one event of the log: its exact bytes, and their hash.
type LogEntry struct {
	Hash  nod.Hash        `json:"hash"`
	Event json.RawMessage `json:"event"`
}

// LogList is a part of the log, oldest first.
type LogList struct {
	Checkpoint *nod.Checkpoint `json:"checkpoint,omitempty"` // at the start of a log that was pruned
	Entries    []LogEntry      `json:"entries"`
}

// LeaseList is a list of active leases, oldest first.
type LeaseList struct {
	Leases []*nod.Lease `json:"leases"`
}

// NewLease is consent given beforehand.
type NewLease struct {
	Rules   []string    `json:"rules"` // in Claude Code's syntax
	Minutes int         `json:"minutes"`
	Times   int         `json:"times,omitempty"` // 0: 30
	Agent   nod.AgentID `json:"agent,omitempty"`
	Folder  string      `json:"folder,omitempty"`
	Host    string      `json:"host,omitempty"`
}

// Stopped counts what a stop reached.
type Stopped struct {
	Leases   int `json:"leases"`
	Requests int `json:"requests"`
	Agents   int `json:"agents"` // those that were at work and have to stop
}
