// Package pause waits, and stops waiting when nobody needs it any more. Whoever
// tries again after a while needs just that: time.Sleep does not hear that nod
// ends, and the same five lines in twenty rooms do not all stop their timer.
package pause

import (
	"context"
	"time"
)

// For waits until d has passed or ctx ends, whichever is first. whole is false
// when ctx has ended, whether or not d has passed too: there is nothing to go on
// with.
func For(ctx context.Context, d time.Duration) (whole bool) {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}
