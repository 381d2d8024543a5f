package link

import (
	"net/http"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/net/httpd"
)

// writing are the answers that agents of other machines are writing. A link that is
// gone cannot say that one is over, so each is over by itself after a silence.
type writing struct {
	mu sync.Mutex
	of map[nod.AgentID]*time.Timer
}

// drafts shows what agents of a host are writing as if it were written here.
func (d *Driver) drafts(w http.ResponseWriter, r *http.Request, host string) error {
	var in wire.Drafts
	if err := httpd.Decode(w, r, &in); err != nil {
		return err
	}
	out := wire.Redo{Again: []nod.AgentID{}}
	for _, piece := range in.Drafts {
		mine := false
		d.State(func(s *nod.State) { mine = theirs(s, host, piece.Agent) && s.Agents[piece.Agent].Alive() })
		switch {
		case !mine || piece.At < 0 || len(piece.Message) > nod.LongestMessageID:
		case piece.Over:
			d.wroteAll(piece.Agent)
		case d.DraftFrom(piece):
			d.writes(piece.Agent)
		default:
			out.Again = append(out.Again, piece.Agent)
		}
	}
	return httpd.JSON(w, http.StatusOK, out)
}

// writes notes that an answer is still being written.
func (d *Driver) writes(id nod.AgentID) {
	d.writing.mu.Lock()
	defer d.writing.mu.Unlock()
	d.writing.stop(id)
	var silent *time.Timer
	silent = time.AfterFunc(wire.DraftLife, func() {
		d.writing.mu.Lock()
		defer d.writing.mu.Unlock()
		if d.writing.of[id] == silent { // nothing was heard in this very moment
			delete(d.writing.of, id)
			d.DraftSilent(id) // the link may have gone on at another hub
		}
	})
	d.writing.of[id] = silent
}

// wroteAll: the log has the answer, or there will be none.
func (d *Driver) wroteAll(id nod.AgentID) {
	d.writing.mu.Lock()
	defer d.writing.mu.Unlock()
	d.writing.stop(id)
	d.DraftOver(id)
}

// stop ends the wait for a silence; the lock is held.
func (w *writing) stop(id nod.AgentID) {
	if t, ok := w.of[id]; ok {
		t.Stop()
		delete(w.of, id)
	}
}
