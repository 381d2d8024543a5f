package hub

import (
	"context"

	"nod"
)

// Pruned is an extra power of a Store: to say what stands in the place of
// events that were taken out.
type Pruned interface {
	Base(ctx context.Context) (nod.Checkpoint, error)
}

// Base is the checkpoint that the log begins with; zero when it is whole.
func (d Desk) Base(ctx context.Context) (nod.Checkpoint, error) {
	if err := d.require(ctx, nod.View, "read the log"); err != nil {
		return nod.Checkpoint{}, err
	}
	if p, ok := d.hub.store.(Pruned); ok {
		return p.Base(ctx)
	}
	return nod.Checkpoint{}, nil
}
