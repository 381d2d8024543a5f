package api

import (
	"net/http"

	"nod/internal/net/httpd"
)

// state is what a door starts from: then follow the events from its seq.
func (s *surface) state(w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	snap, err := s.desk(r).Snapshot(r.Context())
	if err != nil {
		return err
	}
	snap.Agents, snap.Requests = orEmpty(snap.Agents), orEmpty(snap.Requests)
	snap.Leases, snap.Messages = orEmpty(snap.Leases), orEmpty(snap.Messages)
	return httpd.JSON(w, http.StatusOK, snap)
}
