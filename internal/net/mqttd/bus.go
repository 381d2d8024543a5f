// Package mqttd is MQTT in the house: a client of somebody's broker, or a
// broker of nod's own, and one small Bus in front of both, so that a surface
// does not know which of the two it speaks through.
package mqttd

import (
	"context"

	"nod"
)

// Message is something that was or will be published.
type Message struct {
	Topic   string
	Payload []byte
	QoS     byte // 0 or 1; 2 is carried as 1, because whoever acts on a message of nod's must bear it twice anyway
	Retain  bool
	// By is who published it. Only nod's own broker knows; over another one it
	// is zero, and whoever acts on the message has to decide what that means.
	By nod.Actor
}

// Bus carries messages.
type Bus interface {
	// Publish returns when the broker has the message (QoS 1), or says why it
	// has not. It does not queue for a broker that is away: an approval that is
	// shown ten minutes late is worse than none.
	Publish(ctx context.Context, m Message) error
	// Subscribe calls f for what matches the filter, in order, on a goroutine of
	// its own, over every reconnect, until ctx ends. It waits for the broker only
	// if that is there, for a moment. A handler may block: the connection does not
	// wait for it. For a handler that stays thousands of messages behind, the
	// newest are dropped.
	Subscribe(ctx context.Context, filter string, f func(Message)) error
	// Watch calls f with the state of the connection, at once and at every
	// change, until ctx ends. After a loss too short to be told it is called with
	// true once more, because what is announced must be announced anew.
	Watch(ctx context.Context, f func(up bool))
	// Owned says that nod itself knows who publishes: Message.By is set, and
	// nobody without a token of nod's gets in.
	Owned() bool
}

// StatusTopic carries Online, and Offline as the last will, retained: it is the
// availability topic of everything that nod announces. The bus itself publishes
// it.
const StatusTopic = "nod/status"

// What StatusTopic carries.
const (
	Online  = "online"
	Offline = "offline"
)
