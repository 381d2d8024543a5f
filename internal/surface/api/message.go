package api

import (
	"context"
	"net/http"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

// attach keeps a file for a message that will name it. Its body is the file.
func (s *surface) attach(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "name")
	if q.err != nil {
		return q.err
	}
	a, err := s.Files.Keep(r.Context(), q.text("name"), r.Body)
	if err != nil {
		return err
	}
	a.Path = "" // where it lies is the agent's business
	return httpd.JSON(w, http.StatusCreated, a)
}

func (s *surface) files(ctx context.Context, ids []string) ([]nod.Attachment, error) {
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

// say takes words for an agent. 202: they are safe here, and on their way.
func (s *surface) say(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: words must reach whom they were meant for
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
