package api

import (
	"context"
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// attach keeps the body as a file, for a message that will name its id.
func (s *Surface) attach(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "name")
	if q.err != nil {
		return q.err
	}
	a, err := s.Files.Keep(r.Context(), q.text("name"), r.Body)
	if err != nil {
		return err
	}
	a.Path = "" // a path on this machine is for its agents
	return httpd.JSON(w, http.StatusCreated, a)
}

func (s *Surface) files(ctx context.Context, ids []string) ([]nod.Attachment, error) {
	var list []nod.Attachment
	for _, id := range ids {
		a, err := s.Files.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// say takes a message for an agent. 202: it is recorded and on its way.
func (s *Surface) say(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: no other agent may get it
	if err != nil {
		return err
	}
	var n v1.NewMessage
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	files, err := s.files(r.Context(), n.Files)
	if err != nil {
		return err
	}
	m, err := s.desk(r).Say(r.Context(), nod.Message{ID: n.ID, Agent: nod.AgentID(id), Text: n.Text, Files: files, WhenBusy: n.WhenBusy})
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusAccepted, m)
}

// press takes a key for an agent. 202: it is recorded, and pressed if that can be done at
// once.
func press(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: no other agent may get it
	if err != nil {
		return err
	}
	var n v1.NewKey
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if err := d.Press(r.Context(), nod.AgentID(id), n.Key); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}
