package hub

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// clockTime is how often a hub compares its clock with the store's.
const clockTime = time.Minute

// clock is the time by which this hub goes.
type clock struct {
	local func() time.Time
	late  atomic.Int64 // nanoseconds by which local is behind the clock that all hubs go by
}

func (c *clock) now() time.Time { return c.local().Add(time.Duration(c.late.Load())) }

// run sets the clock until ctx ends.
func (c *clock) run(ctx context.Context, store Store, log *slog.Logger) {
	tick := time.NewTicker(clockTime)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.set(ctx, store, log)
		case <-ctx.Done():
			return
		}
	}
}

// set compares this machine's clock with the store's, so that no deadline comes early
// at a hub whose clock is fast. Small differences are left alone.
func (c *clock) set(ctx context.Context, store Store, log *slog.Logger) {
	shared, ok := store.(Clock)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fresh)
	defer cancel()
	sent := c.local()
	at, err := shared.Clock(ctx)
	took := c.local().Sub(sent)
	if err != nil || took > fresh {
		return
	}
	late := at.Sub(sent.Add(took / 2))
	if late.Abs() < took+100*time.Millisecond {
		late = 0
	}
	if before := time.Duration(c.late.Swap(int64(late))); (late - before).Abs() > time.Second {
		log.Warn("this machine's clock differs from the database's, by which all hubs go", "by", late.Round(time.Millisecond))
	}
}
