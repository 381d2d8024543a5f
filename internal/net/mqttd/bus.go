// Package mqttd is nod's MQTT: a client of a broker elsewhere, or a broker of nod's own.
// Surfaces see one small Bus and do not know which of the two is behind it.
package mqttd

import (
	"context"

	"nod"
)

// Message is something that was or will be published.
type Message struct {
	Topic   string
	Payload []byte
	QoS     byte // 0 or 1; 2 is carried as 1, because receivers of nod's messages must bear duplicates anyway
	Retain  bool
	// By is who published it. Only nod's own broker knows; over another one it is
	// zero, and the receiver decides what that means.
	By nod.Actor
}

// Bus carries messages.
type Bus interface {
	// Publish returns when the broker has the message (QoS 1), or an error. It does
	// not queue for a broker that is away: an approval that is shown ten minutes late
	// is worse than none.
	Publish(ctx context.Context, m Message) error
	// Subscribe calls f for every message that matches the filter, in order, on a
	// goroutine of its own, across reconnects, until ctx ends. It waits a moment for a
	// broker that is connected, and not at all for one that is not. A handler may
	// block; when it falls thousands of messages behind, the newest are dropped.
	Subscribe(ctx context.Context, filter string, f func(Message)) error
	// Watch calls f with the state of the connection, at once and at every change,
	// until ctx ends. After a loss too short to report, f is called with true again,
	// because retained announcements have to be published again.
	Watch(ctx context.Context, f func(up bool))
	// Owned reports whether this is nod's own broker: Message.By is set, and only
	// clients with a token of nod's get in.
	Owned() bool
}

// StatusTopic is the availability topic of everything that nod announces. The bus
// itself publishes Online there, and Offline as its last will, both retained.
const StatusTopic = "nod/status"

// What StatusTopic carries.
const (
	Online  = "online"
	Offline = "offline"
)
