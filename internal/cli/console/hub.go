package console

import (
	"context"

	"nod"
	"nod/internal/client"
)

// HeadOf is the newest event of the log; 0 if the hub does not say.
func HeadOf(ctx context.Context, cl *client.Client) nod.Seq {
	h, err := cl.Health(ctx)
	if err != nil {
		return 0
	}
	return h.Head
}

// ReportShown tells the hub what a person sees now. Failures are ignored: the
// person cannot do anything about them.
func ReportShown(ctx context.Context, cl *client.Client, list []*nod.Request) {
	for _, r := range list {
		if !r.Settled() {
			_ = cl.Shown(ctx, r.ID)
		}
	}
}
