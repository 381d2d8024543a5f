// Package pause waits, and stops waiting when its context ends, for code that retries after a while: time.Sleep does
// not notice that nod ends, and twenty copies of the same five lines do not all stop their timer.
package pause

import (
	"context"
	"time"
)

// For waits until d has passed or ctx ends, whichever is first. whole is false when ctx has ended, whether or not d
// has passed too: there is nothing to continue with.
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
