package hub

import (
	"context"
	"time"

	"nod"
)

// Sent is a message whose way is over: the agent has it, or will not get it.
type Sent struct {
	nod.Message
	Seq  nod.Seq   `json:"seq"`     // where in the log its way ended
	Over time.Time `json:"over_at"` // and when; At is when it was said
}

// Messages lists what was said to an agent, newest end first; to all for "".
// Messages under way are in the Snapshot and not here, so that going back page by page
// meets every message once.
func (d Desk) Messages(ctx context.Context, agent nod.AgentID, before nod.Seq, limit int) ([]Sent, error) {
	if err := d.require(ctx, nod.View, "read what was said"); err != nil {
		return nil, err
	}
	ends := Query{Agent: agent, Kinds: []nod.EventKind{nod.MessageDelivered, nod.MessageFailed}}
	events, err := d.hub.history.search(ctx, ends, before, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Sent, 0, len(events))
	for _, e := range events {
		if e.Message != nil {
			list = append(list, Sent{*e.Message, e.Seq, e.At})
		}
	}
	return list, nil
}
