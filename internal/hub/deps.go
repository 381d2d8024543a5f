package hub

import (
	"log/slog"
	"time"
)

// Deps is what every adapter is built on; adapter.Deps embeds it. New calls Fill
// first, so that defaults are in one place.
type Deps struct {
	Hub *Hub
	Log *slog.Logger     // nil: discard
	Now func() time.Time // nil: the hub's clock, which deadlines refer to
}

// Fill puts defaults where nothing is set.
func (d *Deps) Fill() {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Now == nil {
		d.Now = time.Now
		if d.Hub != nil {
			d.Now = d.Hub.Now
		}
	}
}
