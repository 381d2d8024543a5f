package claude

import (
	"io"
	"net/http"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/net/httpd"
)

// hold keeps the connection of a hook elsewhere. The first empty line says that
// the request is stored, the next ones that we are alive; the last line, if there
// is one with words, is for Claude Code.
func (in *Intake) hold(w http.ResponseWriter, r *http.Request, c Call, request *nod.Request) error {
	ctx, cancel := httpd.WhileServing(r.Context())
	defer cancel()
	settled, stop := in.driver.Watch(request)
	defer stop()
	w.Header().Set("Content-Type", "application/json")
	beat(w)
	tick := time.NewTicker(wire.HeartbeatSeconds * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-settled:
			_, err := w.Write(in.driver.Outcome(r.Context(), c.Ask))
			return err
		case <-ctx.Done():
			if r.Context().Err() != nil {
				in.lost(c.Ask, c.Local)
			}
			// Breaking the connection, rather than ending it, tells a hook that still
			// listens to come back.
			panic(http.ErrAbortHandler)
		case <-tick.C:
			beat(w)
		}
	}
}

// beat writes an empty line. That it fails shows soon enough in the request's
// context.
func beat(w http.ResponseWriter) {
	_, _ = io.WriteString(w, "\n")
	_ = http.NewResponseController(w).Flush()
}

// lost gives a hook time to come back for its request.
func (in *Intake) lost(ask nod.RequestID, local bool) {
	patience := in.driver.timing.Travel
	if local {
		patience = in.driver.timing.Return
	}
	in.driver.Lost(ask, patience, func() bool { return in.count(ask, 0) > 0 })
}
