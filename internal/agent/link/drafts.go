package link

import (
	"net/http"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/net/httpd"
)

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

// writes records that an answer is still being written. A link that is gone cannot say
// that an answer is over, so each ends after a silence.
func (d *Driver) writes(id nod.AgentID) {
	d.drafting.set(string(id), wire.DraftLife, func() { d.DraftSilent(id) }) // the link may have reconnected to another hub
}

// wroteAll ends a draft: the log has the answer, or there will be none.
func (d *Driver) wroteAll(id nod.AgentID) {
	d.drafting.stop(string(id), func() { d.DraftOver(id) })
}
