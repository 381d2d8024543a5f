package console

import (
	"context"

	"nod"
	"nod/internal/client"
)

// HeadOf is where the log ends now; 0 when that cannot be learnt.
func HeadOf(ctx context.Context, cl *client.Client) nod.Seq {
	h, err := cl.Health(ctx)
	if err != nil {
		return 0
	}
	return h.Head
}

// ReportShown tells the hub what a person has now before their eyes. It is a
// courtesy: that it failed is no reason to trouble them.
func ReportShown(ctx context.Context, cl *client.Client, list []*nod.Request) {
	for _, r := range list {
		if !r.Settled() {
			_ = cl.Shown(ctx, r.ID)
		}
	}
}
