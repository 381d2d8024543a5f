package api

import (
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

// press takes a key for an agent. 202: it is recorded, and will be pressed if that
// can be done at once.
func (s *surface) press(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: a key must reach whom it was meant for
	if err != nil {
		return err
	}
	var n v1.NewKey
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if err := s.desk(r).Press(r.Context(), nod.AgentID(id), n.Key); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}
